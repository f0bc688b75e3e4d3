-- Procedures that make the data inside the server. Their numbers come from a
-- linear congruential generator (x = x * 48271 mod 2^31-1, "minstd"), because
-- RAND() cannot be seeded. One draw gives a string's place in the pool of
-- letters and its length. Seed and pool come from fbtune, so that equal seeds
-- make equal rows, however many connections load.
CREATE PROCEDURE load_items (p_first INTEGER, p_last INTEGER, p_seed BIGINT, p_pool VARCHAR(4096) CHARACTER SET ASCII)
RETURNS (made INTEGER)
AS
  DECLARE x BIGINT;
  DECLARE i INTEGER;
  DECLARE im INTEGER;
  DECLARE price BIGINT;
  DECLARE name VARCHAR(24) CHARACTER SET ASCII;
  DECLARE data VARCHAR(50) CHARACTER SET ASCII;
BEGIN
  x = p_seed;
  i = p_first;
  WHILE (i <= p_last) DO
  BEGIN
    x = MOD(x * 48271, 2147483647);
    im = 1 + MOD(x, 10000);
    x = MOD(x * 48271, 2147483647);
    price = 100 + MOD(x, 9901);
    x = MOD(x * 48271, 2147483647);
    name = SUBSTRING(p_pool FROM 1 + MOD(x, 3500) FOR 14 + MOD(x / 3500, 11));
    x = MOD(x * 48271, 2147483647);
    data = SUBSTRING(p_pool FROM 1 + MOD(x, 3500) FOR 26 + MOD(x / 3500, 25));
    x = MOD(x * 48271, 2147483647);
    IF (MOD(x, 10) = 0) THEN
      data = OVERLAY(data PLACING 'ORIGINAL' FROM 1 + MOD(x / 10, CHAR_LENGTH(data) - 7));
    INSERT INTO item (i_id, i_im_id, i_name, i_price, i_data)
      VALUES (:i, :im, :name, :price / 100.00, :data);
    i = i + 1;
  END
  made = p_last - p_first + 1;
END
^
CREATE PROCEDURE load_warehouse (p_w INTEGER, p_customers INTEGER, p_seed BIGINT, p_pool VARCHAR(4096) CHARACTER SET ASCII)
RETURNS (made INTEGER)
AS
  DECLARE x BIGINT;
  DECLARE d INTEGER;
  DECLARE tax BIGINT;
  DECLARE p1 INTEGER;
  DECLARE p2 INTEGER;
BEGIN
  x = MOD(p_seed * 48271, 2147483647);
  tax = MOD(x, 2001);
  x = MOD(x * 48271, 2147483647);
  p1 = 1 + MOD(x, 3500);
  p2 = 1 + MOD(x / 3500, 3500);
  INSERT INTO warehouse (w_id, w_name, w_street_1, w_street_2, w_city, w_state, w_zip, w_tax, w_ytd)
    VALUES (:p_w, SUBSTRING(:p_pool FROM :p1 FOR 6 + MOD(:p2, 5)), SUBSTRING(:p_pool FROM :p1 + 20 FOR 10 + MOD(:p1, 11)),
      SUBSTRING(:p_pool FROM :p1 + 40 FOR 10 + MOD(:p1 + 3, 11)), SUBSTRING(:p_pool FROM :p2 FOR 10 + MOD(:p2, 11)),
      SUBSTRING(:p_pool FROM :p2 + 20 FOR 2), LPAD(MOD(:x, 10000), 4, '0') || '11111', :tax / 10000.0000, :p_customers * 100);
  d = 1;
  WHILE (d <= 10) DO
  BEGIN
    x = MOD(x * 48271, 2147483647);
    tax = MOD(x, 2001);
    x = MOD(x * 48271, 2147483647);
    p1 = 1 + MOD(x, 3500);
    p2 = 1 + MOD(x / 3500, 3500);
    INSERT INTO district (d_id, d_w_id, d_name, d_street_1, d_street_2, d_city, d_state, d_zip, d_tax, d_ytd, d_next_o_id)
      VALUES (:d, :p_w, SUBSTRING(:p_pool FROM :p1 FOR 6 + MOD(:p2, 5)), SUBSTRING(:p_pool FROM :p1 + 20 FOR 10 + MOD(:p1, 11)),
        SUBSTRING(:p_pool FROM :p1 + 40 FOR 10 + MOD(:p1 + 3, 11)), SUBSTRING(:p_pool FROM :p2 FOR 10 + MOD(:p2, 11)),
        SUBSTRING(:p_pool FROM :p2 + 20 FOR 2), LPAD(MOD(:x, 10000), 4, '0') || '11111', :tax / 10000.0000,
        :p_customers * 10, :p_customers + 1);
    d = d + 1;
  END
  made = 11;
END
^
CREATE PROCEDURE load_stock (p_w INTEGER, p_first INTEGER, p_last INTEGER, p_seed BIGINT, p_pool VARCHAR(4096) CHARACTER SET ASCII)
RETURNS (made INTEGER)
AS
  DECLARE x BIGINT;
  DECLARE a BIGINT;
  DECLARE b BIGINT;
  DECLARE c BIGINT;
  DECLARE i INTEGER;
  DECLARE data VARCHAR(50) CHARACTER SET ASCII;
BEGIN
  x = p_seed;
  i = p_first;
  WHILE (i <= p_last) DO
  BEGIN
    a = MOD(x * 48271, 2147483647);
    b = MOD(a * 48271, 2147483647);
    c = MOD(b * 48271, 2147483647);
    x = MOD(c * 48271, 2147483647);
    data = SUBSTRING(p_pool FROM 1 + MOD(x, 3500) FOR 26 + MOD(x / 3500, 25));
    x = MOD(x * 48271, 2147483647);
    IF (MOD(x, 10) = 0) THEN
      data = OVERLAY(data PLACING 'ORIGINAL' FROM 1 + MOD(x / 10, CHAR_LENGTH(data) - 7));
    INSERT INTO stock (s_i_id, s_w_id, s_quantity, s_dist_01, s_dist_02, s_dist_03, s_dist_04, s_dist_05,
        s_dist_06, s_dist_07, s_dist_08, s_dist_09, s_dist_10, s_ytd, s_order_cnt, s_remote_cnt, s_data)
      VALUES (:i, :p_w, 10 + MOD(:x / 1000, 91),
        SUBSTRING(:p_pool FROM 1 + MOD(:a, 4000) FOR 24), SUBSTRING(:p_pool FROM 1 + MOD(:a / 83, 4000) FOR 24),
        SUBSTRING(:p_pool FROM 1 + MOD(:a / 6899, 4000) FOR 24), SUBSTRING(:p_pool FROM 1 + MOD(:a / 100003, 4000) FOR 24),
        SUBSTRING(:p_pool FROM 1 + MOD(:b, 4000) FOR 24), SUBSTRING(:p_pool FROM 1 + MOD(:b / 83, 4000) FOR 24),
        SUBSTRING(:p_pool FROM 1 + MOD(:b / 6899, 4000) FOR 24), SUBSTRING(:p_pool FROM 1 + MOD(:b / 100003, 4000) FOR 24),
        SUBSTRING(:p_pool FROM 1 + MOD(:c, 4000) FOR 24), SUBSTRING(:p_pool FROM 1 + MOD(:c / 83, 4000) FOR 24),
        0, 0, 0, :data);
    i = i + 1;
  END
  made = p_last - p_first + 1;
END
^
-- The customers of a district, each with one payment in its history.
-- The first p_names customers get the last names in sequence, so that every
-- name occurs; the others draw theirs with NURand(p_name_a, 0, p_names - 1).
CREATE PROCEDURE load_customers (p_w INTEGER, p_d INTEGER, p_customers INTEGER, p_names INTEGER, p_name_a INTEGER, p_name_c INTEGER,
  p_seed BIGINT, p_pool VARCHAR(4096) CHARACTER SET ASCII)
RETURNS (made INTEGER)
AS
  DECLARE x BIGINT;
  DECLARE y BIGINT;
  DECLARE c INTEGER;
  DECLARE n INTEGER;
  DECLARE p1 INTEGER;
  DECLARE p2 INTEGER;
  DECLARE discount BIGINT;
  DECLARE credit CHAR(2) CHARACTER SET ASCII;
  DECLARE last VARCHAR(16) CHARACTER SET ASCII;
  DECLARE syllables CHAR(50) CHARACTER SET ASCII;
BEGIN
  syllables = 'BAR  OUGHTABLE PRI  PRES ESE  ANTI CALLYATIONEING ';
  x = p_seed;
  c = 1;
  WHILE (c <= p_customers) DO
  BEGIN
    n = c - 1;
    IF (c > p_names) THEN
    BEGIN
      x = MOD(x * 48271, 2147483647);
      y = MOD(x * 48271, 2147483647);
      n = MOD(BIN_OR(MOD(x, p_name_a + 1), MOD(y, p_names)) + p_name_c, p_names);
      x = y;
    END
    last = TRIM(SUBSTRING(syllables FROM 1 + 5 * (n / 100) FOR 5))
      || TRIM(SUBSTRING(syllables FROM 1 + 5 * MOD(n / 10, 10) FOR 5))
      || TRIM(SUBSTRING(syllables FROM 1 + 5 * MOD(n, 10) FOR 5));
    x = MOD(x * 48271, 2147483647);
    p1 = 1 + MOD(x, 3500);
    p2 = 1 + MOD(x / 3500, 3500);
    x = MOD(x * 48271, 2147483647);
    discount = MOD(x, 5001);
    credit = 'GC';
    IF (MOD(x / 5001, 10) = 0) THEN credit = 'BC';
    y = MOD(x * 48271, 2147483647);
    x = MOD(y * 48271, 2147483647);
    INSERT INTO customer (c_id, c_d_id, c_w_id, c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip,
        c_phone, c_since, c_credit, c_credit_lim, c_discount, c_balance, c_ytd_payment, c_payment_cnt, c_delivery_cnt, c_data)
      VALUES (:c, :p_d, :p_w, SUBSTRING(:p_pool FROM :p1 FOR 8 + MOD(:p1, 9)), 'OE', :last,
        SUBSTRING(:p_pool FROM :p1 + 20 FOR 10 + MOD(:p2, 11)), SUBSTRING(:p_pool FROM :p1 + 40 FOR 10 + MOD(:p2 + 3, 11)),
        SUBSTRING(:p_pool FROM :p2 FOR 10 + MOD(:p1 + 5, 11)), SUBSTRING(:p_pool FROM :p2 + 20 FOR 2),
        LPAD(MOD(:x, 10000), 4, '0') || '11111', LPAD(:x, 16, '0'), TIMESTAMP '2026-01-01 00:00:00', :credit, 50000,
        :discount / 10000.0000, -10, 10, 1, 0, SUBSTRING(:p_pool FROM 1 + MOD(:y, 3500) FOR 300 + MOD(:y / 3500, 201)));
    INSERT INTO history (h_c_id, h_c_d_id, h_c_w_id, h_d_id, h_w_id, h_date, h_amount, h_data)
      VALUES (:c, :p_d, :p_w, :p_d, :p_w, TIMESTAMP '2026-01-01 00:00:00', 10, SUBSTRING(:p_pool FROM :p2 FOR 12 + MOD(:p1, 13)));
    c = c + 1;
  END
  made = 2 * p_customers;
END
^
-- The orders of a district with their lines, one per customer in an order that
-- p_step and p_start permute (p_step has no factor in common with the number
-- of customers). The last p_undelivered are not delivered yet.
CREATE PROCEDURE load_orders (p_w INTEGER, p_d INTEGER, p_customers INTEGER, p_items INTEGER, p_undelivered INTEGER,
  p_step INTEGER, p_start INTEGER, p_seed BIGINT, p_pool VARCHAR(4096) CHARACTER SET ASCII)
RETURNS (made INTEGER)
AS
  DECLARE x BIGINT;
  DECLARE y BIGINT;
  DECLARE o INTEGER;
  DECLARE c INTEGER;
  DECLARE carrier INTEGER;
  DECLARE lines INTEGER;
  DECLARE line INTEGER;
  DECLARE amount BIGINT;
  DECLARE entered TIMESTAMP;
  DECLARE delivered TIMESTAMP;
BEGIN
  made = 0;
  x = p_seed;
  c = MOD(p_start, p_customers);
  entered = TIMESTAMP '2026-01-01 00:00:00';
  o = 1;
  WHILE (o <= p_customers) DO
  BEGIN
    c = MOD(c + p_step, p_customers);
    x = MOD(x * 48271, 2147483647);
    lines = 5 + MOD(x, 11);
    carrier = 1 + MOD(x / 11, 10);
    entered = DATEADD(1 SECOND TO entered);
    delivered = entered;
    IF (o > p_customers - p_undelivered) THEN
    BEGIN
      carrier = NULL;
      delivered = NULL;
      INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (:o, :p_d, :p_w);
      made = made + 1;
    END
    INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_carrier_id, o_ol_cnt, o_all_local)
      VALUES (:o, :p_d, :p_w, :c + 1, :entered, :carrier, :lines, 1);
    amount = 0;
    line = 1;
    WHILE (line <= lines) DO
    BEGIN
      x = MOD(x * 48271, 2147483647);
      y = MOD(x * 48271, 2147483647);
      IF (delivered IS NULL) THEN
        amount = 1 + MOD(y / 4000, 499999);
      INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_delivery_d, ol_quantity, ol_amount, ol_dist_info)
        VALUES (:o, :p_d, :p_w, :line, 1 + MOD(:x, :p_items), :p_w, :delivered, 5, :amount / 100.00,
          SUBSTRING(:p_pool FROM 1 + MOD(:y, 4000) FOR 24));
      x = y;
      line = line + 1;
    END
    made = made + 1 + lines;
    o = o + 1;
  END
END
^
