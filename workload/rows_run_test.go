package workload_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/workload"
	"github.com/fbtune/fbtune/workload/rows"
)

func TestRunRows(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		target := serverOf(t, inst)
		if _, _, err := workload.RunRows(t.Context(), target, workload.RowsPlan{Rows: 10}); !errors.Is(err, workload.ErrNoMarker) {
			t.Errorf("a database without the marker: %v, want it refused", err)
		}
		token, err := workload.MarkRows(t.Context(), target)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := workload.MarkRows(t.Context(), target); !errors.Is(err, workload.ErrNotEmpty) {
			t.Errorf("a database with tables: %v, want it refused", err)
		}
		for _, c := range []struct {
			token string
			want  bool
		}{{token, true}, {"rows of another run", false}} {
			if got, err := workload.MarkedBy(t.Context(), target, c.token); err != nil || got != c.want {
				t.Errorf("marked by %q: %t (%v), want %t", c.token, got, err, c.want)
			}
		}
		const n = 2000
		for range 2 { // a second run finds the marker, and no table in its way
			var ended []string
			run, server, err := workload.RunRows(t.Context(), target, workload.RowsPlan{Rows: n, Ended: func(p rows.Phase) { ended = append(ended, p.Name) }})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(ended, rows.Names[:]) || len(run.Phases) != len(rows.Names) {
				t.Errorf("phases %v, want %v", ended, rows.Names)
			}
			for _, p := range run.Phases {
				t.Logf("%+v", p)
				// Each row is visited in the table and in its primary key.
				if p.Rows != n || p.RowsPerSecond <= 0 || p.Fetches < 2*n || p.Writes == 0 || p.CommitShare <= 0 || p.CommitShare >= 1 {
					t.Errorf("%+v of %d rows", p, n)
				}
			}
			if server.PageSize != 8192 || server.PageBuffers != 16384 || !server.ForcedWrites || server.Engine[:3] != inst.Version.Line().String() {
				t.Errorf("%+v", server)
			}
		}
	})
}

func TestRunRowsRefuses(t *testing.T) {
	for _, n := range []int{0, -1, rows.Max + 1} {
		if _, _, err := workload.RunRows(t.Context(), workload.Target{}, workload.RowsPlan{Rows: n}); err == nil {
			t.Errorf("%d rows are run", n)
		}
	}
}
