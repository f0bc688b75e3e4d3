-- The marker comes before anything else, so that even a half-loaded database is
-- known as ours.
CREATE TABLE fbtune_marker (
  schema_version INTEGER NOT NULL,
  warehouses INTEGER NOT NULL,
  cardinality DOUBLE PRECISION NOT NULL,
  seed BIGINT NOT NULL,
  checksum VARCHAR(64) CHARACTER SET ASCII,
  complete SMALLINT NOT NULL
)
^
