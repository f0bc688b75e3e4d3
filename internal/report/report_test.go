package report

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/running"
	"github.com/fbtune/fbtune/probe"
	"github.com/fbtune/fbtune/tuner"
	"github.com/fbtune/fbtune/tuner/study"
	"github.com/fbtune/fbtune/workload"
)

func TestOLTPText(t *testing.T) {
	trial := tuner.Trial{
		Cell: "Super", Mode: confgen.Super, Status: study.OK, OpsPerSecond: 624.4,
		Effective: []running.Effective{
			{Name: "DefaultDbCachePages", Value: "2048", State: running.Verified, Note: "MON$DATABASE"},
			{Name: "TempCacheLimit", Value: "32M", State: running.NotVerifiable},
		},
		Warnings: []string{"other programs took 0.59 processors"},
		Result: &workload.Result{
			OpsPerSecond: 624.4, CommittedTotal: 3122, RolledBack: 19, Retries: 1640, Errors: map[int]int64{335544665: 2},
			Window: 5 * time.Second, Warmup: 3 * time.Second, Latency: workload.Latency{P50: 22.2, P95: 86.3, P99: 133, Max: 276},
			Operations: map[string]workload.OperationResult{"payment": {OpsPerSecond: 271, CommittedTotal: 1355, Retries: 941}},
			CPU:        workload.CPU{Client: 1.2, Server: 6.7, Others: 0.7, Idle: 0.9, ClientShare: 0.138},
		},
	}
	var b bytes.Buffer
	if err := OLTP(&b, trial, environment()); err != nil {
		t.Fatal(err)
	}
	golden(t, "oltp.txt", b.String())

	b.Reset()
	if err := OLTP(&b, tuner.Trial{Cell: "Super", Status: study.Failed, Reason: "does not start"}, environment()); err != nil {
		t.Fatal(err)
	}
	if got, want := b.String(), "Super FAILED: does not start\n"; got != want {
		t.Errorf("a failed trial: %q, want %q", got, want)
	}
}

func TestProbeText(t *testing.T) {
	host := environment().Host
	host.CPU.Quota.Missing = "no cgroup sets one"
	host.Memory.Limits = []probe.GroupLimit{{Group: "/docker/a", Limit: 4 * probe.GiB, File: "/sys/fs/cgroup/memory.max"}}
	found := []firebird.Installation{{
		Kind: "Debian package", Build: "LI-V3.0.11.33637", Bits: 64, Root: "/usr/lib/x86_64-linux-gnu/firebird/3.0",
		FirebirdConf: "/etc/firebird/3.0/firebird.conf", DatabasesConf: "/etc/firebird/3.0/databases.conf", Running: []int{71, 72},
	}}
	var b bytes.Buffer
	if err := Probe(&b, host, found, []string{"swap is in use; give the machine more memory"}); err != nil {
		t.Fatal(err)
	}
	golden(t, "probe.txt", b.String())
	b.Reset()
	if err := Probe(&b, probe.Host{}, nil, nil); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "no Firebird found") {
		t.Errorf("a machine without Firebird:\n%s", b.String())
	}
}

func TestAdviceText(t *testing.T) {
	advice, err := confgen.Recommend(confgen.Input{
		Host: environment().Host, Version: confgen.Version{Major: 3, Minor: 0, Patch: 11}, Connections: 20, Workload: confgen.OLTP,
		Databases: []confgen.Database{{Name: "erp", Path: "/data/erp.fdb", Size: 20 * confgen.GiB, PageSize: 8192}},
		Current:   map[string]confgen.Current{confgen.TempCacheLimit: {Value: "64MB", Source: "firebird.conf:7"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Advice(&b, advice, nil, []confgen.ConfFile{{Name: "firebird.conf", Content: []byte("DefaultDbCachePages = 1\n")}}); err != nil {
		t.Fatal(err)
	}
	golden(t, "advice.txt", b.String())
	for _, want := range []string{"64MB (0 B)", "firebird.conf:7", "worst case", "total", "----- firebird.conf -----"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in the advice", want)
		}
	}
}
