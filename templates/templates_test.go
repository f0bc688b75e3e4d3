package templates

import (
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	text := "-- comment\n\nCREATE A (\n  -- inner\n  x);\n^\n-- only a comment\n^\n  \nCREATE B\r\n^  \nlast ^ one"
	want := []string{"CREATE A (\n  -- inner\n  x);", "CREATE B", "last ^ one"}
	if got := split(text); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestOLTP(t *testing.T) {
	for name, want := range map[string]int{
		"marker": 1, "schema": 11, "indexes": 9, "index_lines": 1, "generate": 5,
		"new_order": 1, "payment": 1, "order_status": 1, "delivery": 1, "stock_level": 1,
	} {
		statements, err := OLTP(name)
		if err != nil || len(statements) != want {
			t.Errorf("%s: %d statements, want %d (%v)", name, len(statements), want, err)
		}
	}
	if _, err := OLTP("nothing"); err == nil {
		t.Error("a file that is not there is read")
	}
}

func TestRows(t *testing.T) {
	for name, want := range map[string]int{"schema": 7, "begin": 1, "insert": 1, "update": 1, "delete": 1} {
		statements, err := Rows(name)
		if err != nil || len(statements) != want {
			t.Errorf("%s: %d statements, want %d (%v)", name, len(statements), want, err)
		}
	}
}
