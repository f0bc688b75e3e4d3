package workload_test

import (
	"slices"
	"testing"

	"github.com/fbtune/fbtune/workload"
)

// Each way of damaging the data is found by the conditions it breaks, and by no other.
func TestCheckFindsDamage(t *testing.T) {
	target, _ := load(t, tiny, 2)
	for _, d := range []struct {
		name       string
		do, undo   string
		conditions []int
	}{
		{"warehouse's total",
			"UPDATE warehouse SET w_ytd = w_ytd + 1 WHERE w_id = 1",
			"UPDATE warehouse SET w_ytd = w_ytd - 1 WHERE w_id = 1", []int{1, 8}},
		{"district's total",
			"UPDATE district SET d_ytd = d_ytd + 1 WHERE d_w_id = 1 AND d_id = 3",
			"UPDATE district SET d_ytd = d_ytd - 1 WHERE d_w_id = 1 AND d_id = 3", []int{1, 9}},
		{"next order",
			"UPDATE district SET d_next_o_id = 62 WHERE d_w_id = 2 AND d_id = 10",
			"UPDATE district SET d_next_o_id = 61 WHERE d_w_id = 2 AND d_id = 10", []int{2}},
		{"hole in the queue",
			"DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 50",
			"INSERT INTO new_order VALUES (50, 1, 1)", []int{3, 5}},
		{"newest left the queue",
			"DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 60",
			"INSERT INTO new_order VALUES (60, 1, 1)", []int{2, 5}},
		{"queued without an order",
			"INSERT INTO new_order VALUES (61, 1, 1)",
			"DELETE FROM new_order WHERE no_w_id = 1 AND no_d_id = 1 AND no_o_id = 61", []int{2, 5}},
		{"line of another district",
			"UPDATE order_line SET ol_d_id = 3, ol_number = 99 WHERE ol_w_id = 2 AND ol_d_id = 2 AND ol_o_id = 7 AND ol_number = 1",
			"UPDATE order_line SET ol_d_id = 2, ol_number = 1 WHERE ol_w_id = 2 AND ol_d_id = 3 AND ol_o_id = 7 AND ol_number = 99", []int{4, 6}},
		{"delivered, but queued",
			"UPDATE orders SET o_carrier_id = 3 WHERE o_w_id = 1 AND o_d_id = 4 AND o_id = 55",
			"UPDATE orders SET o_carrier_id = NULL WHERE o_w_id = 1 AND o_d_id = 4 AND o_id = 55", []int{5, 7}},
		{"line not delivered",
			"UPDATE order_line SET ol_delivery_d = NULL WHERE ol_w_id = 1 AND ol_d_id = 4 AND ol_o_id = 5 AND ol_number = 1",
			"UPDATE order_line SET ol_delivery_d = CURRENT_TIMESTAMP WHERE ol_w_id = 1 AND ol_d_id = 4 AND ol_o_id = 5 AND ol_number = 1", []int{7}},
		{"payment of another warehouse",
			"UPDATE history SET h_w_id = 1 WHERE h_w_id = 2 AND h_d_id = 5 AND h_c_id = 9",
			"UPDATE history SET h_w_id = 2 WHERE h_w_id = 1 AND h_d_id = 5 AND h_c_id = 9 AND h_c_w_id = 2", []int{8, 9}},
	} {
		t.Run(d.name, func(t *testing.T) {
			statements(t, target, d.do)
			violations, err := workload.Check(t.Context(), target)
			if err != nil {
				t.Fatal(err)
			}
			var found []int
			for _, v := range violations {
				found = append(found, v.Condition)
				if v.Rows < 1 || v.Statement == "" {
					t.Errorf("violation %+v", v)
				}
			}
			if !slices.Equal(found, d.conditions) {
				t.Errorf("conditions %v found broken, want %v", found, d.conditions)
			}
			statements(t, target, d.undo)
		})
	}
	if violations, err := workload.Check(t.Context(), target); err != nil || len(violations) != 0 {
		t.Errorf("sound data: %v, %v", violations, err)
	}
}
