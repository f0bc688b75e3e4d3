package workload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"
)

// tableDigest sums a table's content in one pass, in any order of rows. Each
// sum's addends stay below 2^21, so that no table overflows it. Long texts go
// through HASH(); ORDER_LINE, the longest table, through arithmetic only.
type tableDigest struct {
	table string
	sums  string
}

var digests = []tableDigest{
	{"order_line", `SUM(MOD((ol_o_id * 31 + ol_d_id * 17 + ol_w_id * 7 + ol_number) * CAST(ol_i_id AS BIGINT), 1000003)),
		SUM(MOD(CAST(ol_amount * 100 AS BIGINT) * (ol_o_id + ol_number), 1000003)),
		SUM(ol_quantity + ol_supply_w_id), COUNT(ol_delivery_d)`},
	{"stock", `SUM(MOD(s_i_id * CAST(s_w_id AS BIGINT) * s_quantity, 1000003)),
		SUM(MOD(HASH(s_i_id || s_dist_01 || s_dist_05 || s_dist_10 || s_data), 1000003)), SUM(s_ytd + s_order_cnt + s_remote_cnt)`},
	{"customer", `SUM(MOD(HASH(c_w_id || '/' || c_d_id || '/' || c_id || c_first || c_last || c_street_1 || c_phone || c_data), 1000003)),
		SUM(MOD(CAST(c_discount * 10000 AS BIGINT) * c_id, 1000003)), SUM(c_balance), SUM(c_ytd_payment), COUNT(NULLIF(c_credit, 'GC'))`},
	{"orders", `SUM(MOD((o_d_id * 17 + o_w_id * 7 + o_id) * CAST(o_c_id AS BIGINT), 1000003)),
		SUM(MOD(o_ol_cnt * CAST(o_id AS BIGINT) * o_w_id, 1000003)), SUM(COALESCE(o_carrier_id, 0) * MOD(o_id, 1009))`},
	{"history", `SUM(MOD(HASH(h_w_id || '/' || h_d_id || '/' || h_c_id || h_data), 1000003)), SUM(h_amount)`},
	{"new_order", `SUM(MOD((no_d_id * 17 + no_w_id * 7) * CAST(no_o_id AS BIGINT), 1000003))`},
	{"item", `SUM(MOD(HASH(i_id || i_name || i_data), 1000003)), SUM(MOD(CAST(i_price * 100 AS BIGINT) * i_id, 1000003)), SUM(i_im_id)`},
	{"district", `SUM(MOD(HASH(d_w_id || '/' || d_id || d_name || d_street_1 || d_city), 1000003)), SUM(d_ytd), SUM(d_next_o_id), SUM(d_tax)`},
	{"warehouse", `SUM(MOD(HASH(w_id || w_name || w_street_1 || w_city), 1000003)), SUM(w_ytd), SUM(w_tax)`},
}

// Digest returns the rows of each table of a loaded database and a checksum
// over the content of all, in hexadecimal: equal for equal rows, however they
// came there and whatever the order of the pages.
func Digest(ctx context.Context, t Target) (rows map[string]int64, checksum string, err error) {
	var mu sync.Mutex
	rows = make(map[string]int64)
	lines := make([]string, len(digests))
	var jobs []job
	for i, d := range digests {
		jobs = append(jobs, func(ctx context.Context, s *session) error {
			return s.within(ctx, readOnly, func() error {
				st, err := s.prepare(ctx, fmt.Sprintf("SELECT COUNT(*), %s FROM %s", d.sums, d.table), 0)
				if err != nil {
					return err
				}
				row, err := st.call(ctx)
				if err != nil {
					return fmt.Errorf("sum up %s: %w", d.table, err)
				}
				n, err := integer(row[0])
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				rows[d.table] = n
				lines[i] = fmt.Sprintln(append([]any{d.table}, anys(row)...)...)
				return nil
			})
		})
	}
	if err := runJobs(ctx, t, checkConnections, jobs); err != nil {
		return nil, "", err
	}
	h := sha256.New()
	for _, l := range lines {
		h.Write([]byte(l))
	}
	return rows, hex.EncodeToString(h.Sum(nil)), nil
}

func anys[T any](s []T) []any {
	a := make([]any, len(s))
	for i, v := range s {
		a[i] = v
	}
	return a
}
