package tui

import (
	"context"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
)

// Functions are fbtune's own commands, as the program runs them. args are what
// would be typed after "fbtune", so that what a screen shows as a command line
// is what it does.
type Functions struct {
	// Home reads the machine and what is on it.
	Home func(ctx context.Context) (Home, error)
	// Recommend makes the advice of fbtune recommend.
	Recommend func(ctx context.Context, args []string) (confgen.Advice, error)
	// Check finds what fbtune check finds.
	Check func(ctx context.Context, args []string) ([]report.CheckedFile, error)
	// Parameters lists the settings that a study may vary.
	Parameters func(ctx context.Context) ([]Parameter, error)
	// Estimate says what a sweep or a tuning would take.
	Estimate func(ctx context.Context, args []string) (Estimate, error)
	// Study runs a sweep or a tuning and returns its name, "" when there is none.
	Study func(ctx context.Context, args []string, control *tuner.Control, sink tuner.Sink) (string, error)
	// Recorded reads a study of the work directory.
	Recorded func(ctx context.Context, name string) (*tuner.Progress, error)
	// Inspect says what is known of a database file.
	Inspect func(ctx context.Context, path string) ([]Fact, error)
	// Command runs any command and returns what it prints, events of which go
	// to sink.
	Command func(ctx context.Context, args []string, sink tuner.Sink) (string, error)
	// Measurements are what the screen Measure offers.
	Measurements []Measurement
	// Stopped is the cause with which work is ended that a person stops.
	Stopped error
	// GiveUp ends the process at once; it is called when a person asks to stop
	// twice.
	GiveUp func()
}

// Home is what the first screen shows.
type Home struct {
	Host          probe.Host
	Installations []firebird.Installation
	Databases     []string // paths of the databases that databases.conf names
	Studies       []report.Study
	Warnings      []string
}

// Parameter is a setting that a study may vary.
type Parameter struct {
	Name   string
	Values []string // its ladder, ascending
}

// Estimate is what a study takes, before it runs.
type Estimate struct {
	Trials int           // 0 where the calibration decides
	Time   time.Duration // at most, loading not counted
	Disk   confgen.Bytes // that must be free
}

// Fact is one thing that is known of a database.
type Fact struct {
	Group, Name, Value string
	Note               string // what it means; "" when nothing needs to be said
}

// Measurement is a benchmark of this machine.
type Measurement struct {
	Name    string
	Command []string // such as bench disk
	Paths   int      // how many directories it can compare, 1 or 2
	// Needs says how long it takes and what room it needs.
	Needs func(paths int) string
}
