package dbheader_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// server is a running server with the tools that change and print headers.
type server struct {
	t    *testing.T
	s    *private.Server
	path string // of its database
}

func (s server) maintenance() *firebirdsql.MaintenanceManager {
	s.t.Helper()
	target := s.s.Target(s.path)
	m, err := firebirdsql.NewMaintenanceManager(target.Addr, target.User, target.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// gstat is what gstat -h prints of the database.
func (s server) gstat() string {
	s.t.Helper()
	target := s.s.Target(s.path)
	m, err := firebirdsql.NewServiceManager(target.Addr, target.User, target.Password, firebirdsql.GetDefaultServiceManagerOptions())
	if err != nil {
		s.t.Fatal(err)
	}
	defer m.Close()
	text, err := m.GetDbStatsString(s.path, firebirdsql.NewStatisticsOptions(firebirdsql.WithoutUserDataPages(), firebirdsql.WithoutIndexPages(), firebirdsql.WithOnlyHeaderPages()))
	if err != nil {
		s.t.Fatal(err)
	}
	return text
}

// line matches a line of gstat -h, "Page size  8192" or "Sweep interval:  99".
var line = regexp.MustCompile(`(?m)^\t([A-Z][A-Za-z ]*[A-Za-z]):?\t+(.*)$`)

// printed returns a header as lines of gstat -h by their names.
func printed(h dbheader.Header) map[string]string {
	var attributes []string
	for _, a := range []struct {
		is   bool
		name string
	}{
		{h.ForcedWrites, "force write"}, {h.NoReserve, "no reserve"}, {h.Shadow, "active shadow"},
		{h.Encrypted, "encrypted"}, {h.Encrypting, "crypt process"}, {h.Shutdown != "", string(h.Shutdown)},
		{h.ReadOnly, "read only"}, {h.Backup != "", string(h.Backup)}, {h.Replica != "", string(h.Replica)},
	} {
		if a.is {
			attributes = append(attributes, a.name)
		}
	}
	lines := map[string]string{
		"Page size":          fmt.Sprint(int64(h.PageSize)),
		"ODS version":        h.ODS.String(),
		"Oldest transaction": fmt.Sprint(h.Transactions.Oldest),
		"Oldest active":      fmt.Sprint(h.Transactions.OldestActive),
		"Oldest snapshot":    fmt.Sprint(h.Transactions.OldestSnapshot),
		"Next transaction":   fmt.Sprint(h.Transactions.Next),
		"Page buffers":       fmt.Sprint(int64(h.PageBuffers)),
		"Database dialect":   fmt.Sprint(h.Dialect),
		"Attributes":         strings.Join(attributes, ", "),
	}
	if h.SweepInterval != 20000 {
		lines["Sweep interval"] = fmt.Sprint(h.SweepInterval)
	}
	return lines
}

// Whatever gfix sets, Read says what gstat -h says.
func TestReadsWhatGstatPrints(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		var s server
		s.t = t
		s.s, s.path = firebirdtest.Started(t, inst, nil)
		m := s.maintenance()
		states := []struct {
			name string
			set  func() error
			want func(dbheader.Header) bool
		}{
			{"as created", func() error { return nil }, func(h dbheader.Header) bool {
				return h.ForcedWrites && h.SweepInterval == 20000 && h.PageBuffers == 0 && h.Dialect == 3 && h.Transactions.Next > 0
			}},
			{"-buffers 500", func() error { return m.SetPageBuffers(s.path, 500) }, func(h dbheader.Header) bool { return h.PageBuffers == 500 }},
			{"-write async", func() error { return m.SetWriteModeAsync(s.path) }, func(h dbheader.Header) bool { return !h.ForcedWrites }},
			{"-housekeeping 12345", func() error { return m.SetSweepInterval(s.path, 12345) }, func(h dbheader.Header) bool { return h.SweepInterval == 12345 }},
			{"-housekeeping 0", func() error { return m.SetSweepInterval(s.path, 0) }, func(h dbheader.Header) bool { return h.SweepInterval == 0 }},
			{"-use full", func() error { return m.SetPageFillNoReserve(s.path) }, func(h dbheader.Header) bool { return h.NoReserve }},
			{"-sql_dialect 1", func() error { return m.SetDialect(s.path, 1) }, func(h dbheader.Header) bool { return h.Dialect == 1 }},
			{"-mode read_only", func() error { return m.SetAccessModeReadOnly(s.path) }, func(h dbheader.Header) bool { return h.ReadOnly }},
			{"-mode read_write", func() error { return m.SetAccessModeReadWrite(s.path) }, func(h dbheader.Header) bool { return !h.ReadOnly }},
			{"-shut multi", func() error {
				return m.ShutdownEx(s.path, firebirdsql.OperationModeMulti, firebirdsql.ShutdownModeExForce, 0)
			}, func(h dbheader.Header) bool { return h.Shutdown == dbheader.MultiUserShutdown }},
			{"-shut single", func() error {
				return m.ShutdownEx(s.path, firebirdsql.OperationModeSingle, firebirdsql.ShutdownModeExForce, 0)
			}, func(h dbheader.Header) bool { return h.Shutdown == dbheader.SingleUserShutdown }},
			{"-shut full", func() error {
				return m.ShutdownEx(s.path, firebirdsql.OperationModeFull, firebirdsql.ShutdownModeExForce, 0)
			}, func(h dbheader.Header) bool { return h.Shutdown == dbheader.FullShutdown }},
			{"-online", func() error { return m.OnlineEx(s.path, firebirdsql.OperationModeNormal) }, func(h dbheader.Header) bool { return h.Shutdown == dbheader.Online }},
		}
		for _, state := range states {
			if err := state.set(); err != nil {
				t.Fatalf("%s: %v", state.name, err)
			}
			h, err := dbheader.Read(s.path)
			if err != nil {
				t.Fatalf("%s: %v", state.name, err)
			}
			if !state.want(h) {
				t.Errorf("%s: read %+v", state.name, h)
			}
			if v, ok := h.ODS.Firebird(); !ok || v != inst.Version.Line() || !h.ODS.OpenedBy(inst.Version) {
				t.Errorf("%s: ODS %s is taken for Firebird %s", state.name, h.ODS, v)
			}
			text := s.gstat()
			said := map[string]string{}
			for _, l := range line.FindAllStringSubmatch(text, -1) {
				said[l[1]] = strings.TrimSpace(l[2])
			}
			for name, got := range printed(h) {
				if said[name] != got {
					t.Errorf("%s: %s is %q, gstat -h prints %q in\n%s", state.name, name, got, said[name], text)
				}
			}
			if _, has := said["Sweep interval"]; has == (h.SweepInterval == 20000) {
				t.Errorf("%s: sweep interval %d, gstat -h prints one: %t", state.name, h.SweepInterval, has)
			}
		}
	})
}

// Every page size of a version is read.
func TestPageSizes(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s := firebirdtest.New(t, inst, firebirdtest.Cap)
		sizes := []int{4096, 8192, 16384}
		if inst.Version.Major >= 4 {
			sizes = append(sizes, 32768)
		}
		var read []int
		for _, size := range sizes {
			h, err := dbheader.Read(firebirdtest.Database(t, s, size))
			if err != nil {
				t.Fatal(err)
			}
			read = append(read, int(h.PageSize))
			if h.FileSize < 100*h.PageSize {
				t.Errorf("a database of %d bytes in pages of %d", h.FileSize, h.PageSize)
			}
		}
		if !slices.Equal(read, sizes) {
			t.Errorf("page sizes %v, want %v", read, sizes)
		}
	})
}
