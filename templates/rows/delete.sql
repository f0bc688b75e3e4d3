EXECUTE BLOCK RETURNS (deleted_rows INTEGER, elap_ms INTEGER)
AS
  DECLARE i INTEGER = 0;
  DECLARE began TIMESTAMP;
BEGIN
  deleted_rows = RDB$GET_CONTEXT('USER_SESSION', 'FBTUNE_ROWS');
  began = 'NOW';
  WHILE (i < deleted_rows) DO
  BEGIN
    DELETE FROM fbtune_rows WHERE id = :i + 1;
    i = i + 1;
  END
  elap_ms = DATEDIFF(MILLISECOND FROM began TO CAST('NOW' AS TIMESTAMP));
  SUSPEND;
END
^
