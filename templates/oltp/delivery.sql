-- Delivery: the oldest undelivered order of each district of a warehouse.
-- Two deliveries can find the same order. The one whose DELETE meets the
-- other's ends in a conflict of Firebird's; the one that comes after the
-- other's commit deletes nothing and raises ours. Either starts again, so no
-- order is lost or delivered twice.
CREATE PROCEDURE op_delivery (p_w INTEGER, p_carrier INTEGER)
RETURNS (delivered INTEGER)
AS
  DECLARE d INTEGER;
  DECLARE o INTEGER;
  DECLARE c INTEGER;
  DECLARE total NUMERIC(12, 2);
BEGIN
  delivered = 0;
  d = 1;
  WHILE (d <= 10) DO
  BEGIN
    o = NULL;
    SELECT FIRST 1 no_o_id FROM new_order WHERE no_w_id = :p_w AND no_d_id = :d
      ORDER BY no_w_id, no_d_id, no_o_id INTO :o;
    IF (o IS NOT NULL) THEN
    BEGIN
      DELETE FROM new_order WHERE no_w_id = :p_w AND no_d_id = :d AND no_o_id = :o;
      IF (ROW_COUNT = 0) THEN EXCEPTION fbtune_conflict;
      c = NULL;
      UPDATE orders SET o_carrier_id = :p_carrier WHERE o_w_id = :p_w AND o_d_id = :d AND o_id = :o
        RETURNING o_c_id INTO :c;
      IF (c IS NULL) THEN EXCEPTION fbtune_no_row 'order ' || p_w || '/' || d || '/' || o;
      SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = :p_w AND ol_d_id = :d AND ol_o_id = :o INTO :total;
      UPDATE order_line SET ol_delivery_d = CURRENT_TIMESTAMP WHERE ol_w_id = :p_w AND ol_d_id = :d AND ol_o_id = :o;
      UPDATE customer SET c_balance = c_balance + :total, c_delivery_cnt = c_delivery_cnt + 1
        WHERE c_w_id = :p_w AND c_d_id = :d AND c_id = :c;
      IF (ROW_COUNT = 0) THEN EXCEPTION fbtune_no_row 'customer ' || p_w || '/' || d || '/' || c;
      delivered = delivered + 1;
    END
    d = d + 1;
  END
END
^
