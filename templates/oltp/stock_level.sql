-- Stock level: how many items of a district's last 20 orders are below a threshold.
CREATE PROCEDURE op_stock_level (p_w INTEGER, p_d INTEGER, p_threshold INTEGER)
RETURNS (low_stock INTEGER)
AS
  DECLARE next_o INTEGER;
BEGIN
  SELECT d_next_o_id FROM district WHERE d_w_id = :p_w AND d_id = :p_d INTO :next_o;
  IF (next_o IS NULL) THEN EXCEPTION fbtune_no_row 'district ' || p_w || '/' || p_d;
  SELECT COUNT(DISTINCT s.s_i_id) FROM order_line ol
    JOIN stock s ON s.s_w_id = :p_w AND s.s_i_id = ol.ol_i_id
    WHERE ol.ol_w_id = :p_w AND ol.ol_d_id = :p_d AND ol.ol_o_id >= :next_o - 20 AND ol.ol_o_id < :next_o
      AND s.s_quantity < :p_threshold
    INTO :low_stock;
END
^
