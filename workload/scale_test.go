package workload

import (
	"math"
	"strings"
	"testing"
)

func TestScaleValidate(t *testing.T) {
	for _, c := range []struct {
		scale Scale
		ok    bool
	}{
		{Default(), true}, {Quick(), true}, {Scale{1, 0.01, -5}, true}, {Scale{9999, 1, 0}, true},
		{Scale{}, false}, {Scale{0, 1, 0}, false}, {Scale{10000, 1, 0}, false}, {Scale{1, 0.009, 0}, false},
		{Scale{1, 1.01, 0}, false}, {Scale{1, math.NaN(), 0}, false}, {Scale{1, math.Inf(1), 0}, false},
	} {
		if err := c.scale.Validate(); (err == nil) != c.ok {
			t.Errorf("%+v: %v", c.scale, err)
		}
	}
}

func TestScaleRows(t *testing.T) {
	s := Quick()
	if s.customers() != 300 || s.items() != 10000 || s.names() != 300 || s.undelivered() != 90 {
		t.Errorf("quick: %d customers, %d items, %d names, %d undelivered", s.customers(), s.items(), s.names(), s.undelivered())
	}
	s = Default()
	if s.customers() != 3000 || s.items() != 100000 || s.names() != 1000 || s.undelivered() != 900 {
		t.Errorf("full: %d customers, %d items, %d names, %d undelivered", s.customers(), s.items(), s.names(), s.undelivered())
	}
}

func TestScaleOfSize(t *testing.T) {
	const mib, gib = 1 << 20, 1 << 30
	for _, c := range []struct {
		bytes       int64
		warehouses  int
		cardinality float64
	}{
		{12 * mib, 10, 0.01}, {100 * mib, 10, 0.1}, {128 * mib, 10, 0.129}, {512 * mib, 10, 0.52}, {981 * mib, 10, 0.999},
		{982 * mib, 10, 1}, {gib, 10, 1}, {2 * gib, 21, 1}, {30 * gib, 317, 1},
	} {
		s, err := ScaleOfSize(c.bytes, 7)
		if err != nil || s.Warehouses != c.warehouses || math.Abs(s.Cardinality-c.cardinality) > 1e-9 || s.Seed != 7 {
			t.Errorf("%d MiB: %+v (%v), want %d warehouses at %g", c.bytes/mib, s, err, c.warehouses, c.cardinality)
		}
		if got := float64(s.EstimatedBytes()) / float64(c.bytes); got < 0.95 || got > 1.05 {
			t.Errorf("%d MiB: the estimate is %.2f of it", c.bytes/mib, got)
		}
	}
	for _, bytes := range []int64{0, -5, mib, 11 * mib, 2048 * gib} {
		if s, err := ScaleOfSize(bytes, 1); err == nil || !strings.Contains(err.Error(), "give a size from 12 MiB to 947 GiB") {
			t.Errorf("%d MiB: %+v, %v; want an error with the bounds", bytes/mib, s, err)
		}
	}
}

func TestDSN(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"/var/db/a.fdb", "@h:1//var/db/a.fdb?"},
		{"/a.fdb", "@h:1//a.fdb?"},
		{"alias", "@h:1/alias?"},
		{`C:\db\a.fdb`, `@h:1/C:%5Cdb%5Ca.fdb?`},
	} {
		got := Target{Addr: "h:1", Path: c.path, User: "u", Password: "p@:/?"}.DSN()
		want := strings.Replace(c.want, "//var", "/var", 1)
		if !strings.HasPrefix(got, "firebird://u:p%40%3A%2F%3F") || !strings.Contains(got, want) {
			t.Errorf("%s: %s, want %s in it", c.path, got, want)
		}
	}
}

func TestConditionsAreNumbered(t *testing.T) {
	for i, c := range conditions {
		if c.id != i+1 || c.params != strings.Count(c.query, "?") {
			t.Errorf("condition %d has number %d and %d parameters for %d marks", i+1, c.id, c.params, strings.Count(c.query, "?"))
		}
	}
	if _, err := conditionsByID([]int{1, 10}); err == nil {
		t.Error("condition 10 is accepted")
	}
}
