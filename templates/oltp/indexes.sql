-- Keys and indexes of all tables but order_line, made when the data are in.
ALTER TABLE warehouse ADD CONSTRAINT pk_warehouse PRIMARY KEY (w_id)
^
ALTER TABLE district ADD CONSTRAINT pk_district PRIMARY KEY (d_w_id, d_id)
^
ALTER TABLE item ADD CONSTRAINT pk_item PRIMARY KEY (i_id)
^
ALTER TABLE customer ADD CONSTRAINT pk_customer PRIMARY KEY (c_w_id, c_d_id, c_id)
^
-- Payment and order status look customers up by last name, ordered by first name.
CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last, c_first)
^
ALTER TABLE new_order ADD CONSTRAINT pk_new_order PRIMARY KEY (no_w_id, no_d_id, no_o_id)
^
ALTER TABLE orders ADD CONSTRAINT pk_orders PRIMARY KEY (o_w_id, o_d_id, o_id)
^
-- Order status wants a customer's last order. Firebird walks an index one way only, so it descends.
CREATE DESCENDING INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id)
^
ALTER TABLE stock ADD CONSTRAINT pk_stock PRIMARY KEY (s_w_id, s_i_id)
^
