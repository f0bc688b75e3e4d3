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
