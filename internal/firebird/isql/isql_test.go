package isql_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/isql"
)

func TestDatabases(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, first := firebirdtest.Started(t, inst, nil)
		target := s.Target(filepath.Join(filepath.Dir(first), "it's new.fdb"))
		if err := isql.Create(t.Context(), inst, target, 16384); err != nil {
			t.Fatal(err)
		}
		out, err := isql.Run(t.Context(), inst, target, "SET LIST ON;\nSELECT MON$PAGE_SIZE FROM MON$DATABASE;\n")
		if err != nil || !strings.Contains(out, "16384") {
			t.Errorf("%q (%v), want pages of 16384 bytes", out, err)
		}
		if out, err := isql.Run(t.Context(), inst, target, "SELECT 1 FROM nothing;\n"); err == nil {
			t.Errorf("a script that fails is no error: %q", out)
		}
		before, err := os.ReadFile(target.Path)
		if err != nil {
			t.Fatal(err)
		}
		if err := isql.Create(t.Context(), inst, target, 8192); err == nil {
			t.Error("a database is created over another")
		}
		if after, err := os.ReadFile(target.Path); err != nil || len(after) != len(before) {
			t.Errorf("%d bytes (%v) after a refused creation, want the %d of before", len(after), err, len(before))
		}
		if err := isql.Drop(t.Context(), inst, target); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(target.Path); !os.IsNotExist(err) {
			t.Errorf("%v, want no file after a drop", err)
		}
	})
}
