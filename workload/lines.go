package workload

import (
	"cmp"
	"slices"
)

// sortLines puts the lines of an order in the order in which every order locks
// stock. The unused item of a planned rollback comes last by its number.
func sortLines(lines []orderLine) {
	slices.SortFunc(lines, func(a, b orderLine) int {
		return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.supply, b.supply))
	})
}

// pack writes the lines as op_new_order reads them. The result is valid until the next call.
func (in *inputs) pack(lines []orderLine) []byte {
	b := in.packed[:0]
	for _, l := range lines {
		b = appendDigits(b, l.item, 6)
		b = appendDigits(b, l.supply, 4)
		b = appendDigits(b, l.quantity, 2)
	}
	return b
}

// appendDigits appends n in exactly width digits.
func appendDigits(b []byte, n, width int) []byte {
	for range width {
		b = append(b, '0')
	}
	for i := len(b) - 1; n > 0; i-- {
		b[i] = byte('0' + n%10)
		n /= 10
	}
	return b
}
