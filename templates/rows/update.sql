EXECUTE BLOCK RETURNS (updated_rows INTEGER, elap_ms INTEGER)
AS
  DECLARE i INTEGER = 0;
  DECLARE began TIMESTAMP;
BEGIN
  updated_rows = RDB$GET_CONTEXT('USER_SESSION', 'FBTUNE_ROWS');
  began = 'NOW';
  WHILE (i < updated_rows) DO
  BEGIN
    UPDATE fbtune_rows SET
      grp = RAND() * 10,
      pid = RAND() * 1000,
      dts = DATEADD(RAND() * 100000 SECOND TO TIMESTAMP '01.01.2019 00:00:00'),
      code_sml = LPAD('', 15, 'ASDFGH'),
      code_med = LPAD('', 150, 'ASDFGH'),
      code_lrg = LPAD('', 1500, 'ASDFGH'),
      code_unq = GEN_UUID()
    WHERE id = :i + 1;
    i = i + 1;
  END
  elap_ms = DATEDIFF(MILLISECOND FROM began TO CAST('NOW' AS TIMESTAMP));
  SUSPEND;
END
^
