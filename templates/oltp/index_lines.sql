-- The key of the order lines, which takes as long as all the others together
-- (indexes.sql), made beside them on a connection of its own.
ALTER TABLE order_line ADD CONSTRAINT pk_order_line PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)
^
