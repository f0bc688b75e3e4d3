-- New order: one order of 5 to 15 lines.
-- p_lines packs the lines, 12 digits each: item 6, supplying warehouse 4,
-- quantity 2, sorted by item, so that two orders lock stock in the same order.
-- An unknown item (the planned 1 %) ends with status 1: the caller rolls back.
CREATE PROCEDURE op_new_order (p_w INTEGER, p_d INTEGER, p_c INTEGER, p_count INTEGER, p_all_local INTEGER,
  p_lines VARCHAR(180) CHARACTER SET ASCII)
RETURNS (status INTEGER, o_id INTEGER, total_cents BIGINT, c_last VARCHAR(16), c_credit CHAR(2))
AS
  DECLARE w_tax NUMERIC(4, 4);
  DECLARE d_tax NUMERIC(4, 4);
  DECLARE c_discount NUMERIC(4, 4);
  DECLARE line INTEGER;
  DECLARE i INTEGER;
  DECLARE supply INTEGER;
  DECLARE quantity INTEGER;
  DECLARE price NUMERIC(5, 2);
  DECLARE item_data VARCHAR(50);
  DECLARE stock_data VARCHAR(50);
  DECLARE dist CHAR(24);
  DECLARE total NUMERIC(12, 2);
BEGIN
  status = 0;
  total = 0;
  UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = :p_w AND d_id = :p_d
    RETURNING d_next_o_id - 1, d_tax INTO :o_id, :d_tax;
  IF (o_id IS NULL) THEN EXCEPTION fbtune_no_row 'district ' || p_w || '/' || p_d;
  SELECT w_tax FROM warehouse WHERE w_id = :p_w INTO :w_tax;
  SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = :p_w AND c_d_id = :p_d AND c_id = :p_c
    INTO :c_discount, :c_last, :c_credit;
  IF (c_last IS NULL) THEN EXCEPTION fbtune_no_row 'customer ' || p_w || '/' || p_d || '/' || p_c;
  INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
    VALUES (:o_id, :p_d, :p_w, :p_c, CURRENT_TIMESTAMP, NULL, :p_count, :p_all_local);
  INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (:o_id, :p_d, :p_w);
  line = 1;
  WHILE (line <= p_count) DO
  BEGIN
    i = SUBSTRING(p_lines FROM line * 12 - 11 FOR 6);
    supply = SUBSTRING(p_lines FROM line * 12 - 5 FOR 4);
    quantity = SUBSTRING(p_lines FROM line * 12 - 1 FOR 2);
    price = NULL;
    SELECT i_price, i_data FROM item WHERE i_id = :i INTO :price, :item_data;
    IF (price IS NULL) THEN
    BEGIN
      status = 1;
      EXIT;
    END
    dist = NULL;
    UPDATE stock SET
        s_quantity = CASE WHEN s_quantity >= :quantity + 10 THEN s_quantity - :quantity ELSE s_quantity - :quantity + 91 END,
        s_ytd = s_ytd + :quantity,
        s_order_cnt = s_order_cnt + 1,
        s_remote_cnt = s_remote_cnt + CASE WHEN s_w_id = :p_w THEN 0 ELSE 1 END
      WHERE s_w_id = :supply AND s_i_id = :i
      RETURNING CASE :p_d WHEN 1 THEN s_dist_01 WHEN 2 THEN s_dist_02 WHEN 3 THEN s_dist_03 WHEN 4 THEN s_dist_04
        WHEN 5 THEN s_dist_05 WHEN 6 THEN s_dist_06 WHEN 7 THEN s_dist_07 WHEN 8 THEN s_dist_08 WHEN 9 THEN s_dist_09
        ELSE s_dist_10 END, s_data
      INTO :dist, :stock_data;
    IF (dist IS NULL) THEN EXCEPTION fbtune_no_row 'stock ' || supply || '/' || i;
    INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)
      VALUES (:o_id, :p_d, :p_w, :line, :i, :supply, NULL, :quantity, :quantity * :price, :dist);
    total = total + quantity * price;
    line = line + 1;
  END
  total_cents = CAST(total * (1 - c_discount) * (1 + w_tax + d_tax) * 100 AS BIGINT);
END
^
