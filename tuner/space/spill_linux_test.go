package space_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/tuner/space"
	"github.com/fbtune/fbtune/workload"
)

// With a report running, the steps of TempCacheLimit are felt: a low one sends
// the sort to files, a high one does not.
func TestReportsSpillByTheStepOfTempCacheLimit(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, err := space.Build(space.Options{
			Version: inst.Version, Only: []string{confgen.TempCacheLimit}, Cap: firebirdtest.Cap,
			Load: space.Load{Connections: 2, Reports: 1, PageSize: 8 * confgen.KiB},
		})
		if err != nil {
			t.Fatal(err)
		}
		ladder, _ := s.Dimensions[0].Ladder(confgen.Super)
		low, high := s.Default(confgen.Super), s.Default(confgen.Super)
		low[0], high[0] = 0, len(ladder.Values)-1

		server := firebirdtest.New(t, inst, firebirdtest.Cap)
		database := firebirdtest.Database(t, server, 8192)
		scale := workload.Scale{Warehouses: 10, Cardinality: 0.05, Seed: 1}
		start(t, server, nil, database)
		if _, err := workload.Load(t.Context(), server.Target(database), scale, workload.LoadOptions{}); err != nil {
			t.Fatal(err)
		}
		stop(t, server)
		spilled := map[string]int64{}
		for _, p := range []space.Point{low, high} {
			start(t, server, s.Settings(p), database)
			spilled[s.Key(p)] = watch(t, server, func() {
				plan := workload.Plan{Connections: 2, Reports: 1, Warmup: time.Second, Duration: time.Second, Seed: 1}
				if _, err := workload.Run(t.Context(), server.Target(database), scale, plan); err != nil {
					t.Error(err)
				}
			})
			stop(t, server)
		}
		t.Logf("most bytes in sort files: %v", spilled)
		if spilled[s.Key(low)] == 0 || spilled[s.Key(high)] != 0 {
			t.Errorf("most bytes in sort files: %v, want some with %s only", spilled, s.Key(low))
		}
	})
}

func start(t *testing.T, server *private.Server, settings map[string]string, database string) {
	t.Helper()
	if err := server.Start(t.Context(), private.Config{Settings: settings, Database: database}); err != nil {
		t.Fatal(err)
	}
}

func stop(t *testing.T, server *private.Server) {
	t.Helper()
	if err := server.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// watch returns the most bytes that the server's sort files had while work was
// done. The engine removes their names as soon as they are open.
func watch(t *testing.T, server *private.Server, work func()) (most int64) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		work()
	}()
	look := time.NewTicker(10 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-done:
			return most
		case <-look.C:
			most = max(most, sortBytes(server))
		}
	}
}

// sortBytes is the size of all sort files that the server has open.
func sortBytes(server *private.Server) (sum int64) {
	for _, pid := range server.Processes() {
		links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is sound
		for _, link := range links {
			target, err := os.Readlink(link)
			if err != nil || !strings.Contains(target, "fb_sort_") {
				continue // closed meanwhile, or another file
			}
			if info, err := os.Stat(link); err == nil {
				sum += info.Size()
			}
		}
	}
	return sum
}
