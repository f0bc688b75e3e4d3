-- The table of the insert, update and delete test of Firebird's community: all
-- keys and indexes are there before the first row.
-- https://github.com/IBSurgeon/FirebirdSimpleIUDTest
CREATE SEQUENCE fbtune_rows_id
^
CREATE TABLE fbtune_rows (
  id INTEGER,
  grp SMALLINT,
  pid INTEGER,
  dts TIMESTAMP,
  code_sml VARCHAR(15),
  code_med VARCHAR(150),
  code_lrg VARCHAR(1500),
  code_unq CHAR(16) CHARACTER SET OCTETS,
  CONSTRAINT fbtune_rows_pk PRIMARY KEY (id),
  CONSTRAINT fbtune_rows_unq UNIQUE (code_unq)
)
^
CREATE INDEX fbtune_rows_pid ON fbtune_rows (pid)
^
CREATE DESCENDING INDEX fbtune_rows_dts ON fbtune_rows (dts)
^
CREATE INDEX fbtune_rows_sml ON fbtune_rows (code_sml)
^
CREATE INDEX fbtune_rows_med ON fbtune_rows (code_med)
^
CREATE INDEX fbtune_rows_lrg ON fbtune_rows (code_lrg)
^
