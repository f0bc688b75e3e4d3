package workload

import (
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// at makes gopsutil read a captured /proc for the rest of the test.
func at(t *testing.T, moment string) {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("testdata", moment))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOST_PROC", dir)
}

// What a window took is read off the kernel's counters before and after it.
func TestReadings(t *testing.T) {
	server, stall, now := 2*time.Second, Stall{Some: time.Hour, Full: time.Minute}, time.Second
	plan := Plan{
		ServerCPU:   func() (time.Duration, error) { return server, nil },
		MemoryStall: func() (Stall, error) { return stall, nil },
	}
	read := func(moment string) reading {
		at(t, moment)
		r, err := plan.read(func() time.Duration { return now })
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	from := read("before")
	server, stall, now = 9*time.Second, Stall{Some: time.Hour + 250*time.Millisecond, Full: time.Minute + 50*time.Millisecond}, 11*time.Second
	u := between(from, read("after"))

	// fbtune's own time is the test's, so that it and the others share 13 - 7 s.
	if c := u.cpu; math.Abs(c.Client+c.Others-6) > 1e-9 || c.Server != 7 || math.Abs(c.Stolen-0.6) > 1e-9 || math.Abs(c.Idle-7) > 1e-9 {
		t.Errorf("processor time %+v", c)
	}
	if u.seconds != 10 || !u.serverKnown || u.swapIn != 150 || u.stall != (Stall{Some: 250 * time.Millisecond, Full: 50 * time.Millisecond}) {
		t.Errorf("%+v", u)
	}
	text, warnings := disturbed(u)
	for _, part := range []string{"other programs took 0.5", "hypervisor gave 3.0 %", "want of memory for 2.50 %", "15 pages a second"} {
		if !strings.Contains(text, part) {
			t.Errorf("%q does not say %q", text, part)
		}
	}
	if len(warnings) != 4 { // all work stood still for just 0.5 %
		t.Errorf("%d warnings: %q", len(warnings), warnings)
	}
}

func TestReadingFails(t *testing.T) {
	failure := errors.New("no answer")
	for _, plan := range []Plan{
		{ServerCPU: func() (time.Duration, error) { return 0, failure }},
		{MemoryStall: func() (Stall, error) { return Stall{}, failure }},
	} {
		if _, err := plan.read(func() time.Duration { return 0 }); !errors.Is(err, failure) {
			t.Errorf("%v, want %v", err, failure)
		}
	}
}
