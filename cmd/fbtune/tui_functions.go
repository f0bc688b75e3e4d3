package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/internal/tui"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
	"github.com/fbtune/fbtune/workload/rows"
)

// functions are the commands as the terminal program runs them.
func (e *env) functions() tui.Functions {
	return tui.Functions{
		Home: e.tuiHome,
		Recommend: func(ctx context.Context, args []string) (confgen.Advice, error) {
			o, err := objectOf[recommendJSON](ctx, e, append([]string{"recommend"}, args...)...)
			return o.Advice, err
		},
		Check: func(ctx context.Context, args []string) ([]report.CheckedFile, error) {
			o, err := objectOf[checkJSON](ctx, e, append([]string{"check"}, args...)...)
			return o.Servers, err
		},
		Parameters: tuiParameters,
		Estimate:   e.tuiEstimate,
		Study:      e.study,
		Recorded:   e.tuiRecorded,
		Inspect:    e.tuiInspect,
		Command:    e.printed,
		Measurements: []tui.Measurement{
			{Name: "disk", Command: []string{"bench", "disk"}, Paths: 2, Needs: diskNeeds},
			{Name: "rows", Command: []string{"bench", "rows"}, Paths: 2, Needs: rowsNeeds},
		},
		Stopped: errInterrupted,
		GiveUp:  e.giveUp,
	}
}

// tuiHome reads the machine, what databases.conf names, and the studies.
func (e *env) tuiHome(ctx context.Context) (tui.Home, error) {
	probed, err := objectOf[probeJSON](ctx, e, "probe")
	if err != nil {
		return tui.Home{}, err
	}
	listed, err := objectOf[studiesJSON](ctx, e, "studies")
	if err != nil {
		return tui.Home{}, err
	}
	h := tui.Home{Host: probed.Host, Installations: probed.Installations, Warnings: probed.Warnings, Studies: listed.Studies}
	if len(probed.Installations) == 0 {
		return h, nil
	}
	checked, err := objectOf[checkJSON](ctx, e, "check")
	for _, server := range checked.Servers {
		for _, d := range server.DatabaseFiles {
			h.Databases = append(h.Databases, d.Path)
		}
	}
	return h, err
}

// tuiParameters lists what a study on the newest installation may vary, in the
// database of the quick load.
func tuiParameters(ctx context.Context) ([]tui.Parameter, error) {
	inst, err := firebird.Choose(ctx, "")
	if err != nil {
		return nil, err
	}
	load := tuner.Load{Scale: workload.Quick(), Connections: 20, PageSize: 8192}
	var environment tuner.Environment
	environment.Database.Bytes = load.Scale.EstimatedBytes()
	host, err := probe.Read(ctx, probe.Live(), "/")
	if err != nil {
		return nil, err
	}
	limit, err := tuner.DefaultCap(host)
	if err != nil {
		return nil, err
	}
	sp, err := tuner.Tuning{Version: inst.Version, Modes: confgen.Modes(), Load: load, Cap: limit}.Space(environment)
	if err != nil {
		return nil, err
	}
	var list []tui.Parameter
	ladders := sp.Ladders()
	for _, d := range sp.Dimensions {
		values := ladders[d.Name]
		if !d.Words { // those of all architectures, each in its own order
			slices.SortFunc(values, func(a, b string) int { return cmp.Compare(confgen.ParseSize(a), confgen.ParseSize(b)) })
		}
		if d.Name != confgen.ServerMode {
			list = append(list, tui.Parameter{Name: d.Name, Values: values})
		}
	}
	return list, nil
}

// tuiEstimate makes the plan of a command line, and says what it takes.
func (e *env) tuiEstimate(ctx context.Context, args []string) (tui.Estimate, error) {
	if args[0] == string(study.Tune) {
		var f tuneFlags
		cmd, err := flagsOf(ctx, args, f.add)
		if err != nil {
			return tui.Estimate{}, err
		}
		plan, _, _, err := e.newTuning(cmd, &f)
		return tui.Estimate{Trials: plan.Trials, Time: max(plan.Time, plan.Bound()), Disk: plan.Load.Room()}, err
	}
	var f sweepFlags
	cmd, err := flagsOf(ctx, args, f.add)
	if err != nil {
		return tui.Estimate{}, err
	}
	plan, _, err := e.newPlan(cmd, &f)
	if err != nil {
		return tui.Estimate{}, err
	}
	return tui.Estimate{Trials: plan.Runs(), Time: plan.Bound(), Disk: plan.Load.Room()}, nil
}

// tuiRecorded reads a study of the work directory.
func (e *env) tuiRecorded(ctx context.Context, name string) (progress *tuner.Progress, err error) {
	return progress, e.withStore(ctx, "", func(store *study.Store) error {
		var err error
		_, progress, err = folded(ctx, store, name)
		return err
	})
}

// diskNeeds says what bench disk takes.
func diskNeeds(paths int) string {
	each, blocks := diskDuration, 1
	if paths > 1 {
		each, blocks = diskCompareDuration, compareBlocks
	}
	tests := len(diskbench.Tests(0)) * blocks * paths
	return fmt.Sprintf("about %s and the time to write the file, 1 GiB in each directory, removed in the end", time.Duration(tests)*each)
}

// rowsNeeds says what bench rows takes.
func rowsNeeds(paths int) string {
	blocks := 1
	if paths > 1 {
		blocks = compareBlocks
	}
	return fmt.Sprintf("%d times a million rows inserted, updated and deleted, minutes each, and %s in each directory, removed in the end",
		blocks*paths, confgen.Bytes(rows.EstimatedBytes(rows.Default)))
}

// tuiInspect says what inspect finds in a database file, and what its header
// holds.
func (e *env) tuiInspect(ctx context.Context, path string) ([]tui.Fact, error) {
	inspected, err := objectOf[report.Inspected](ctx, e, "inspect", path)
	if err != nil {
		return nil, err
	}
	var facts []tui.Fact
	for _, f := range inspected.Findings {
		facts = append(facts, tui.Fact{Group: "findings", Name: f.Rule, Value: string(f.Severity), Note: f.EngineDoes + "; instead: " + f.Instead})
	}
	header, err := headerFacts(path)
	return append(facts, header...), err
}

// headerFacts says what the header of a database file holds.
func headerFacts(path string) ([]tui.Fact, error) {
	h, err := dbheader.Read(path)
	if err != nil {
		return nil, err
	}
	const file, behaviour, transactions = "file", "behaviour", "transactions"
	facts := []tui.Fact{
		{Group: file, Name: "ODS", Value: h.ODS.String()},
		{Group: file, Name: "page size", Value: h.PageSize.String()},
		{Group: file, Name: "size", Value: h.FileSize.String()},
		{Group: file, Name: "dialect", Value: strconv.Itoa(h.Dialect)},
		{Group: behaviour, Name: "page buffers", Value: strconv.FormatInt(int64(h.PageBuffers), 10), Note: "above 0 it overrides every file"},
		{Group: behaviour, Name: "forced writes", Value: onOff(h.ForcedWrites), Note: "off: a crash of the machine may damage the database"},
		{Group: behaviour, Name: "sweep interval", Value: strconv.FormatInt(h.SweepInterval, 10), Note: "transactions; 0 is no sweep by itself"},
		{Group: behaviour, Name: "read only", Value: onOff(h.ReadOnly)},
		{Group: behaviour, Name: "encrypted", Value: onOff(h.Encrypted)},
		{Group: transactions, Name: "oldest", Value: strconv.FormatInt(h.Transactions.Oldest, 10), Note: "the oldest that is not known to have committed"},
		{Group: transactions, Name: "oldest active", Value: strconv.FormatInt(h.Transactions.OldestActive, 10)},
		{Group: transactions, Name: "oldest snapshot", Value: strconv.FormatInt(h.Transactions.OldestSnapshot, 10)},
		{Group: transactions, Name: "next", Value: strconv.FormatInt(h.Transactions.Next, 10)},
	}
	return facts, nil
}

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}
