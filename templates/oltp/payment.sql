-- Payment: a customer pays; the customer is given by id, or by last name
-- (p_c_last not null), then the middle one by first name is taken.
-- District before warehouse: everywhere the same order of locks.
CREATE PROCEDURE op_payment (p_w INTEGER, p_d INTEGER, p_c_w INTEGER, p_c_d INTEGER, p_c INTEGER,
  p_c_last VARCHAR(16) CHARACTER SET ASCII, p_cents INTEGER)
RETURNS (c_id INTEGER, balance_cents BIGINT)
AS
  DECLARE amount NUMERIC(6, 2);
  DECLARE namesakes INTEGER;
  DECLARE skipped INTEGER;
  DECLARE w_name VARCHAR(10);
  DECLARE d_name VARCHAR(10);
  DECLARE balance NUMERIC(12, 2);
  DECLARE credit CHAR(2);
BEGIN
  amount = p_cents / 100.00;
  UPDATE district SET d_ytd = d_ytd + :amount WHERE d_w_id = :p_w AND d_id = :p_d RETURNING d_name INTO :d_name;
  IF (d_name IS NULL) THEN EXCEPTION fbtune_no_row 'district ' || p_w || '/' || p_d;
  UPDATE warehouse SET w_ytd = w_ytd + :amount WHERE w_id = :p_w RETURNING w_name INTO :w_name;
  IF (w_name IS NULL) THEN EXCEPTION fbtune_no_row 'warehouse ' || p_w;
  c_id = p_c;
  IF (p_c_last IS NOT NULL) THEN
  BEGIN
    SELECT COUNT(*) FROM customer WHERE c_w_id = :p_c_w AND c_d_id = :p_c_d AND c_last = :p_c_last INTO :namesakes;
    IF (namesakes = 0) THEN EXCEPTION fbtune_no_row 'customer ' || p_c_w || '/' || p_c_d || '/' || p_c_last;
    skipped = (namesakes - 1) / 2;
    SELECT FIRST 1 SKIP (:skipped) c.c_id FROM customer c
      WHERE c.c_w_id = :p_c_w AND c.c_d_id = :p_c_d AND c.c_last = :p_c_last
      ORDER BY c.c_first INTO :c_id;
  END
  UPDATE customer c SET
      c.c_balance = c.c_balance - :amount,
      c.c_ytd_payment = c.c_ytd_payment + :amount,
      c.c_payment_cnt = c.c_payment_cnt + 1,
      c.c_data = CASE c.c_credit
        WHEN 'BC' THEN LEFT(c.c_id || ' ' || c.c_d_id || ' ' || c.c_w_id || ' ' || :p_d || ' ' || :p_w || ' ' || :amount || '|' || c.c_data, 500)
        ELSE c.c_data END
    WHERE c.c_w_id = :p_c_w AND c.c_d_id = :p_c_d AND c.c_id = :c_id
    RETURNING c.c_balance, c.c_credit INTO :balance, :credit;
  IF (balance IS NULL) THEN EXCEPTION fbtune_no_row 'customer ' || p_c_w || '/' || p_c_d || '/' || c_id;
  INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
    VALUES (:c_id, :p_c_d, :p_c_w, :p_d, :p_w, CURRENT_TIMESTAMP, :amount, :w_name || '    ' || :d_name);
  balance_cents = balance * 100;
END
^
