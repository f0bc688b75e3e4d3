-- Order status: a customer's last order with its lines; the customer is given
-- by id or by last name as in payment.
CREATE PROCEDURE op_order_status (p_w INTEGER, p_d INTEGER, p_c INTEGER, p_c_last VARCHAR(16) CHARACTER SET ASCII)
RETURNS (c_id INTEGER, o_id INTEGER, lines INTEGER, total_cents BIGINT)
AS
  DECLARE namesakes INTEGER;
  DECLARE skipped INTEGER;
  DECLARE first_name VARCHAR(16);
  DECLARE balance NUMERIC(12, 2);
  DECLARE entered TIMESTAMP;
  DECLARE carrier INTEGER;
  DECLARE i INTEGER;
  DECLARE supply INTEGER;
  DECLARE quantity INTEGER;
  DECLARE amount NUMERIC(6, 2);
  DECLARE delivered TIMESTAMP;
BEGIN
  c_id = p_c;
  IF (p_c_last IS NOT NULL) THEN
  BEGIN
    SELECT COUNT(*) FROM customer WHERE c_w_id = :p_w AND c_d_id = :p_d AND c_last = :p_c_last INTO :namesakes;
    IF (namesakes = 0) THEN EXCEPTION fbtune_no_row 'customer ' || p_w || '/' || p_d || '/' || p_c_last;
    skipped = (namesakes - 1) / 2;
    SELECT FIRST 1 SKIP (:skipped) c.c_id FROM customer c
      WHERE c.c_w_id = :p_w AND c.c_d_id = :p_d AND c.c_last = :p_c_last
      ORDER BY c.c_first INTO :c_id;
  END
  SELECT c.c_first, c.c_balance FROM customer c WHERE c.c_w_id = :p_w AND c.c_d_id = :p_d AND c.c_id = :c_id
    INTO :first_name, :balance;
  IF (first_name IS NULL) THEN EXCEPTION fbtune_no_row 'customer ' || p_w || '/' || p_d || '/' || c_id;
  SELECT FIRST 1 o.o_id, o.o_entry_d, o.o_carrier_id FROM orders o
    WHERE o.o_w_id = :p_w AND o.o_d_id = :p_d AND o.o_c_id = :c_id
    ORDER BY o.o_w_id DESC, o.o_d_id DESC, o.o_c_id DESC, o.o_id DESC
    INTO :o_id, :entered, :carrier;
  IF (o_id IS NULL) THEN EXCEPTION fbtune_no_row 'an order of customer ' || p_w || '/' || p_d || '/' || c_id;
  lines = 0;
  total_cents = 0;
  FOR SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line
    WHERE ol_w_id = :p_w AND ol_d_id = :p_d AND ol_o_id = :o_id
    INTO :i, :supply, :quantity, :amount, :delivered
  DO
  BEGIN
    lines = lines + 1;
    total_cents = total_cents + amount * 100;
  END
END
^
