-- Tells the three loops of this connection how many rows they handle.
EXECUTE BLOCK AS
BEGIN
  RDB$SET_CONTEXT('USER_SESSION', 'FBTUNE_ROWS', %d);
END
^
