package workload

import (
	"testing"
	"time"
)

func TestSteady(t *testing.T) {
	for _, c := range []struct {
		bins []int64
		want bool
	}{
		{nil, false},
		{[]int64{100, 100}, false},
		{[]int64{100, 100, 100}, true},
		{[]int64{90, 100, 95}, true},
		{[]int64{89, 100, 95}, false},
		{[]int64{500, 900, 1000, 990, 950}, true},
		{[]int64{1000, 990, 950, 1200}, false},
		{[]int64{0, 0, 0}, false},
	} {
		if got := steady(c.bins); got != c.want {
			t.Errorf("steady(%v) = %t, want %t", c.bins, got, c.want)
		}
	}
}

func TestWindowHolds(t *testing.T) {
	w := &window{start: 10 * time.Second, end: 12500 * time.Millisecond}
	for _, c := range []struct {
		start, end time.Duration
		want       bool
	}{
		{9999 * time.Millisecond, 11 * time.Second, false},
		{10 * time.Second, 12500 * time.Millisecond, true},
		{11 * time.Second, 12501 * time.Millisecond, false},
		{8 * time.Second, 9 * time.Second, false},
		{9 * time.Second, 13 * time.Second, false},
	} {
		if got := w.holds(c.start, c.end); got != c.want {
			t.Errorf("holds(%s, %s) = %t, want %t", c.start, c.end, got, c.want)
		}
	}
	if (*window)(nil).holds(1, 2) {
		t.Error("no window holds an operation")
	}
	if got := w.bins(); got != 3 {
		t.Errorf("%d bins, want 3", got)
	}
	for at, want := range map[time.Duration]int{w.start: 0, w.start + time.Second - 1: 0, w.start + time.Second: 1, w.end: 2} {
		if got := w.bin(at); got != want {
			t.Errorf("bin(%s) = %d, want %d", at, got, want)
		}
	}
	whole := &window{start: 0, end: 2 * time.Second}
	if got := whole.bin(whole.end); got != 1 {
		t.Errorf("an operation that ends with the window is in bin %d, want 1", got)
	}
}
