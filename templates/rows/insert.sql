EXECUTE BLOCK RETURNS (inserted_rows INTEGER, elap_ms INTEGER)
AS
  DECLARE i INTEGER = 0;
  DECLARE began TIMESTAMP;
BEGIN
  inserted_rows = RDB$GET_CONTEXT('USER_SESSION', 'FBTUNE_ROWS');
  began = 'NOW';
  WHILE (i < inserted_rows) DO
  BEGIN
    INSERT INTO fbtune_rows (id, grp, pid, dts, code_sml, code_med, code_lrg, code_unq)
    VALUES (
      GEN_ID(fbtune_rows_id, 1),
      RAND() * 10,
      RAND() * 1000,
      DATEADD(RAND() * 1000000 SECOND TO TIMESTAMP '01.01.2019 00:00:00'),
      LPAD('', 15, 'QWERTY'),
      LPAD('', 150, 'QWERTY'),
      LPAD('', 1500, 'QWERTY'),
      GEN_UUID()
    );
    i = i + 1;
  END
  elap_ms = DATEDIFF(MILLISECOND FROM began TO CAST('NOW' AS TIMESTAMP));
  SUSPEND;
END
^
