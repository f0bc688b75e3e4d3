package workload

// condition is one of the consistency conditions of TPC-C 3.3.2, as a query
// that counts the rows that break it.
type condition struct {
	id        int
	statement string
	// query counts offenders. If params > 0 it is of one warehouse, whose
	// number is given params times; else of the whole database.
	query  string
	params int
}

// conditions holds conditions 1 to 9. 1 to 3 read few rows and run after every
// trial; all run after a load. Where the standard compares with MAX(O_ID), the
// query asks whether that order exists and a later one does not: the same, by
// two index look-ups. A district whose orders are all delivered has no
// NEW-ORDER row left; the standard's text assumes that this does not happen.
var conditions = []condition{
	{1, "W_YTD = sum(D_YTD)", `
		SELECT COUNT(*) FROM warehouse w
		WHERE w.w_id = ? AND w.w_ytd <> (SELECT COALESCE(SUM(d.d_ytd), 0) FROM district d WHERE d.d_w_id = w.w_id)`, 1},
	{2, "D_NEXT_O_ID - 1 = max(O_ID) = max(NO_O_ID)", `
		SELECT COUNT(*) FROM district d
		WHERE d.d_w_id = ? AND (
			NOT EXISTS (SELECT 1 FROM orders o
				WHERE o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id AND o.o_id = d.d_next_o_id - 1)
			OR EXISTS (SELECT 1 FROM orders o
				WHERE o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id AND o.o_id >= d.d_next_o_id)
			OR EXISTS (SELECT 1 FROM new_order n
				WHERE n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id AND n.no_o_id >= d.d_next_o_id)
			OR (EXISTS (SELECT 1 FROM new_order n WHERE n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id)
				AND NOT EXISTS (SELECT 1 FROM new_order n
					WHERE n.no_w_id = d.d_w_id AND n.no_d_id = d.d_id AND n.no_o_id = d.d_next_o_id - 1)))`, 1},
	{3, "max(NO_O_ID) - min(NO_O_ID) + 1 = count(NEW-ORDER) of the district", `
		SELECT COUNT(*) FROM (
			SELECT n.no_d_id FROM new_order n WHERE n.no_w_id = ?
			GROUP BY n.no_d_id HAVING MAX(n.no_o_id) - MIN(n.no_o_id) + 1 <> COUNT(*)) AS offenders (d)`, 1},
	{4, "sum(O_OL_CNT) = count(ORDER-LINE) of the district", `
		SELECT COUNT(*) FROM district d
		WHERE d.d_w_id = ? AND
			(SELECT COALESCE(SUM(o.o_ol_cnt), 0) FROM orders o WHERE o.o_w_id = d.d_w_id AND o.o_d_id = d.d_id)
			<> (SELECT COUNT(*) FROM order_line l WHERE l.ol_w_id = d.d_w_id AND l.ol_d_id = d.d_id)`, 1},
	{5, "O_CARRIER_ID is null if and only if the order is in NEW-ORDER", `
		SELECT
			(SELECT COUNT(*) FROM orders o
				LEFT JOIN new_order n ON n.no_w_id = o.o_w_id AND n.no_d_id = o.o_d_id AND n.no_o_id = o.o_id
				WHERE o.o_w_id = ? AND (CASE WHEN o.o_carrier_id IS NULL THEN 1 ELSE 0 END)
					<> (CASE WHEN n.no_o_id IS NULL THEN 0 ELSE 1 END))
			+ (SELECT COUNT(*) FROM new_order n WHERE n.no_w_id = ? AND NOT EXISTS (SELECT 1 FROM orders o
				WHERE o.o_w_id = n.no_w_id AND o.o_d_id = n.no_d_id AND o.o_id = n.no_o_id))
		FROM RDB$DATABASE`, 2},
	{6, "O_OL_CNT = count(ORDER-LINE) of the order", `
		SELECT COUNT(*) FROM orders o
		WHERE o.o_w_id = ? AND o.o_ol_cnt <> (SELECT COUNT(*) FROM order_line l
			WHERE l.ol_w_id = o.o_w_id AND l.ol_d_id = o.o_d_id AND l.ol_o_id = o.o_id)`, 1},
	{7, "OL_DELIVERY_D is null if and only if O_CARRIER_ID is null", `
		SELECT COUNT(*) FROM orders o
		JOIN order_line l ON l.ol_w_id = o.o_w_id AND l.ol_d_id = o.o_d_id AND l.ol_o_id = o.o_id
		WHERE o.o_w_id = ? AND (CASE WHEN o.o_carrier_id IS NULL THEN 1 ELSE 0 END)
			<> (CASE WHEN l.ol_delivery_d IS NULL THEN 1 ELSE 0 END)`, 1},
	// HISTORY has no index, so 8 and 9 read it once for all warehouses.
	{8, "W_YTD = sum(H_AMOUNT)", `
		SELECT COUNT(*) FROM (
			SELECT e.w FROM (
				SELECT w_id, w_ytd FROM warehouse UNION ALL SELECT h_w_id, -h_amount FROM history) AS e (w, amount)
			GROUP BY e.w HAVING SUM(e.amount) <> 0) AS offenders (w)`, 0},
	{9, "D_YTD = sum(H_AMOUNT)", `
		SELECT COUNT(*) FROM (
			SELECT e.w, e.d FROM (
				SELECT d_w_id, d_id, d_ytd FROM district UNION ALL SELECT h_w_id, h_d_id, -h_amount FROM history) AS e (w, d, amount)
			GROUP BY e.w, e.d HAVING SUM(e.amount) <> 0) AS offenders (w, d)`, 0},
}
