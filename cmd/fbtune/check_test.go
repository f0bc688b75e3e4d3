package main

import (
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/nakagami/firebirdsql"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/probe"
)

// checkedDatabase is a real database with what sets its header, and what the
// commands say of it.
type checkedDatabase struct {
	*testing.T
	inst firebird.Installation
	path string
	m    *firebirdsql.MaintenanceManager
}

// onEach runs a test with a real database of every Firebird.
func onEach(t *testing.T, test func(checkedDatabase)) {
	t.Helper()
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, path := firebirdtest.Started(t, inst, nil)
		target := s.Target(path)
		m, err := firebirdsql.NewMaintenanceManager(target.Addr, target.User, target.Password, firebirdsql.GetDefaultServiceManagerOptions())
		if err != nil {
			t.Fatal(err)
		}
		test(checkedDatabase{t, inst, path, m})
	})
}

// set sets the header of the database.
func (d checkedDatabase) set(buffers int, async bool, interval uint) {
	d.Helper()
	write := d.m.SetWriteModeSync
	if async {
		write = d.m.SetWriteModeAsync
	}
	for _, err := range []error{d.m.SetPageBuffers(d.path, buffers), write(d.path), d.m.SetSweepInterval(d.path, interval)} {
		if err != nil {
			d.Fatal(err)
		}
	}
}

// result is the part of check --json that tests look at.
type result struct {
	Findings []check.Finding
	Servers  []checkedServer
}

type checkedServer struct {
	Conf, Firebird string
	Notes          []string
	DatabaseFiles  []struct {
		Name, Path, ODS string
		PageBuffers     int64 `json:"page_buffers"`
	} `json:"database_files"`
}

// about returns the findings about the database by their rules.
func (d checkedDatabase) about(args ...string) (found map[string]check.Finding, all result) {
	d.Helper()
	out, err := captured(d.Context(), d.T, append([]string{"check", "--json"}, args...)...)
	if code := exitCode(err, io.Discard); code != exitDone && code != exitFindings {
		d.Fatal(err)
	}
	valid(d.T, "check", out)
	if err := json.Unmarshal([]byte(out), &all); err != nil {
		d.Fatal(err)
	}
	found = map[string]check.Finding{}
	for _, f := range all.Findings {
		if f.File == d.path && !strings.HasPrefix(f.Rule, "disk-") { // the disk is that of whoever runs the test
			found[f.Rule] = f
		}
	}
	return found, all
}

// rules are the names of the rules that found something.
func rules(found map[string]check.Finding) string {
	return strings.Join(slices.Sorted(maps.Keys(found)), " ")
}

// A header that holds page buffers overrides the files, of which the user is
// told; and what else a header says about a database is found.
func TestCheckHeaders(t *testing.T) {
	onEach(t, func(d checkedDatabase) {
		conf := write(d.T, "firebird.conf", "DefaultDbCachePages = 9000\n")
		version := d.inst.Version.String()
		d.set(500, true, 0)
		found, all := d.about("--database", "erp="+d.path, "--firebird", version, conf)
		if got, want := rules(found), "forced-writes header-buffers sweep-interval"; got != want {
			d.Errorf("found %q, want %q: %+v", got, want, all)
		}
		f := found["header-buffers"]
		if !strings.Contains(f.EngineDoes, "DefaultDbCachePages = 9000 (line 1 of "+conf+") has no effect on it while the header holds 500") ||
			!strings.Contains(f.Instead, "gfix -buffers 0 "+d.path) || f.Severity != check.Warning || f.Name != "erp" {
			d.Errorf("%+v", f)
		}
		if s := all.Servers; len(s) != 1 || len(s[0].DatabaseFiles) != 1 || s[0].DatabaseFiles[0].PageBuffers != 500 || s[0].DatabaseFiles[0].Name != "erp" {
			d.Errorf("servers %+v", s)
		}
		text, err := captured(d.Context(), d.T, "check", "--database", d.path, "--firebird", version, conf)
		if code := exitCode(err, io.Discard); code != exitFindings || !strings.Contains(strings.Join(strings.Fields(text), " "), "page buffers 500 in the header, forced writes off, sweep interval 0; transactions: oldest ") {
			d.Errorf("exit code %d with\n%s", code, text)
		}

		d.set(0, false, 20000)
		if found, all := d.about("--database", d.path, "--firebird", version, conf); len(found) != 0 {
			d.Errorf("of a sound header: %+v", all)
		}

		// The same database before a version that cannot open it.
		other := "5.0"
		if d.inst.Version.Major >= 4 {
			other = "3.0"
		}
		found, _ = d.about("--database", d.path, "--firebird", other, conf)
		if f := found["ods"]; rules(found) != "ods" || !strings.Contains(f.EngineDoes, "which is of Firebird "+d.inst.Version.Line().String()) {
			d.Errorf("before %s: %+v", other, found)
		}
	})
}

// Without files the installation is checked, with its own databases and those
// of the flags; what cannot be read is a note.
func TestCheckInstallation(t *testing.T) {
	onEach(t, func(d checkedDatabase) {
		d.set(500, false, 20000)
		absent := filepath.Join(d.TempDir(), "absent.fdb")
		found, all := d.about("--firebird-root", d.inst.Root, "--database", d.path, "--database", "gone="+absent)
		if rules(found) != "header-buffers" {
			d.Errorf("found %+v", found)
		}
		if len(all.Servers) != 1 || all.Servers[0].Conf != d.inst.FirebirdConf || all.Servers[0].Firebird != d.inst.Version.String() {
			d.Fatalf("servers %+v, want the one of %s", all.Servers, d.inst.Root)
		}
		if notes := strings.Join(all.Servers[0].Notes, "\n"); !strings.Contains(notes, "gone is not checked: read the header of "+absent) {
			d.Errorf("notes %s", notes)
		}
	})
}

// Where several Firebirds are checked a database goes to the one that opens it.
func TestCheckAllInstallations(t *testing.T) {
	onEach(t, func(d checkedDatabase) {
		d.set(500, false, 20000)
		found, all := d.about("--database", d.path)
		opens := slices.ContainsFunc(all.Servers, func(s checkedServer) bool {
			return strings.HasPrefix(s.Firebird, d.inst.Version.Line().String())
		})
		want := "ods" // of whatever is installed
		if opens {
			want = "header-buffers"
		}
		if rules(found) != want {
			d.Errorf("found %+v, want %s", found, want)
		}
	})
}

// Page buffers of a header are shown as what is in force.
func TestShowHeader(t *testing.T) {
	onEach(t, func(d checkedDatabase) {
		d.set(500, false, 20000)
		databases := write(d.T, "databases.conf", "erp = "+d.path+"\n{\nDefaultDbCachePages = 7000\n}\n")
		for _, name := range []string{"erp", d.path} {
			out := capture(d.T, "show", "--json", "--databases", databases, "--firebird", d.inst.Version.String(), "--database", name)
			valid(d.T, "show", out)
			if !strings.Contains(out, `"value": "7000",`) || !strings.Contains(out, fmt.Sprintf("500 pages, by the header of %s", d.path)) || !strings.Contains(out, "run gfix -buffers 0 "+d.path) {
				d.Errorf("%s:\n%s", name, out)
			}
		}
		d.set(0, false, 20000)
		if out := capture(d.T, "show", "--json", "--databases", databases, "--firebird", d.inst.Version.String(), "--database", "erp"); strings.Contains(out, "header") {
			d.Errorf("without page buffers in the header:\n%s", out)
		}
	})
}

// Every kind of entry that a log may have has a rule, but for a sweep, which is
// nothing wrong.
func TestLogKindsHaveRules(t *testing.T) {
	want := slices.DeleteFunc(firebird.LogKinds(), func(kind string) bool { return kind == "sweep" })
	got := check.LogKinds()
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("rules are about %q, logs have %q", got, want)
	}
}

func TestGivenDatabases(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.WriteFile("here.fdb", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	here := filepath.Join(dir, "here.fdb")
	for _, test := range []struct{ text, name, path string }{
		{"erp=/data/erp.fdb", "erp", "/data/erp.fdb"},
		{"/data/erp.fdb,page-size=8192", "", "/data/erp.fdb"},
		{`C:\data\erp.fdb`, "", `C:\data\erp.fdb`},
		{"here.fdb", "", here},
		{"erp=here.fdb,size=2G", "erp", here},
	} {
		f := checkFlags{databases: []string{test.text}}
		got, err := f.given()
		if err != nil || len(got) != 1 || got[0].Name != test.name || got[0].Path != test.path {
			t.Errorf("%s: %+v (%v), want %s=%s", test.text, got, err, test.name, test.path)
		}
	}
	f := checkFlags{databases: []string{"erp"}}
	if _, err := f.given(); exitCode(err, io.Discard) != exitUsage {
		t.Errorf("a name alone: %v", err)
	}
}

// A process sees itself and no other.
func TestProcessView(t *testing.T) {
	view := processView{fstest.MapFS{
		"proc/self/cgroup": {Data: []byte("ours")}, "proc/7/cgroup": {Data: []byte("its")}, "proc/8/cgroup": {Data: []byte("another's")},
		"proc/meminfo": {Data: []byte("all's")}, "proc/7/exe": {Data: []byte("firebird"), Mode: fs.ModeSymlink},
	}, "7"}
	for name, want := range map[string]string{"proc/self/cgroup": "its", "proc/meminfo": "all's", "proc/7/cgroup": "", "proc/8/cgroup": "", "proc/absent": ""} {
		got, err := fs.ReadFile(view, name)
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
		}
	}
	if link, err := fs.ReadLink(view, "proc/self/exe"); err != nil || link != "firebird" {
		t.Errorf("link %q (%v)", link, err)
	}
	if info, err := fs.Lstat(view, "proc/self/exe"); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("link %v (%v)", info, err)
	}
	if _, err := fs.ReadLink(view, "proc/8/exe"); err == nil {
		t.Error("another process is seen")
	}
}

// The machine as a running process sees it, this one.
func TestServersView(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("there is no /proc")
	}
	host, err := probe.Read(t.Context(), server{pid: os.Getpid()}.system(), "/")
	if err != nil {
		t.Fatal(err)
	}
	own, err := probe.Read(t.Context(), probe.Live(), "/")
	if err != nil {
		t.Fatal(err)
	}
	if host.Memory.Usable.Value != own.Memory.Usable.Value || host.CPU.Usable.Value != own.CPU.Usable.Value {
		t.Errorf("memory %s and %s, CPUs %s and %s of one process", host.Memory.Usable, own.Memory.Usable, host.CPU.Usable, own.CPU.Usable)
	}
	if limit := host.Limits.OpenFilesHard; limit.Source != "/proc/self/limits" {
		t.Errorf("the limit of open files %+v, want the process's own and not that of its parent", limit)
	}
}

func TestAccountOf(t *testing.T) {
	a := accountOf("Name:\tfirebird\nUid:\t1\t0\t0\t0\nGid:\t105\t106\t105\t105\nGroups:\t20 30 \n")
	if a.user != 0 || a.name == "" || !slices.Equal(a.groups, []uint64{106, 20, 30}) {
		t.Errorf("account %+v", a)
	}
}

// What an account may do with a file is told by its mode.
func TestRefused(t *testing.T) {
	dir := t.TempDir()
	info, err := os.Stat(dir)
	if err != nil {
		t.Fatal(err)
	}
	uid, gid, known := owner(info)
	if !known {
		t.Skip("files have no modes here")
	}
	owners, group, others := account{"owner", 4711, nil}, account{"member", 4712, []uint64{gid}}, account{"other", 4713, []uint64{gid + 1}}
	owners.user = uid
	for _, test := range []struct {
		mode fs.FileMode
		a    account
		want bool // refused
	}{
		{0o755, group, true}, {0o755, others, true}, {0o770, group, false}, {0o770, others, true}, {0o703, others, false},
		{0o773, account{"member", 4712, []uint64{1, gid}}, false}, {0o707, group, true}, {0o000, account{}, false}, {0o000, account{"root", 0, nil}, false},
	} {
		if err := os.Chmod(dir, test.mode); err != nil {
			t.Fatal(err)
		}
		if got := test.a.refused(dir, toMake); (got != "") != test.want {
			t.Errorf("mode %o for %+v: %q", test.mode, test.a, got)
		}
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if uid != 0 && owners.refused(dir, toMake) != "" {
		t.Error("its owner is refused")
	}
	if why := others.refused(dir, toMake); !strings.Contains(why, dir) || !strings.Contains(why, "mode 0700") || !strings.Contains(why, "runs as other") {
		t.Errorf("the reason is %q", why)
	}
}

// Locks that a tool run by another account left are in the server's way.
func TestLocksOfAnotherAccount(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	s := server{account: account{"firebird", 4711, nil}, locks: dir}
	if d := s.directory(t.Context(), dir); d.Refused != "" || d.Missing {
		t.Errorf("an empty lock directory: %+v", d)
	}
	if err := os.WriteFile(filepath.Join(dir, "fb_init"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if d := s.directory(t.Context(), dir); runtime.GOOS != "windows" && !strings.Contains(d.Refused, "fb_init") {
		t.Errorf("with a file of another account: %+v", d)
	}
	if d := s.directory(t.Context(), filepath.Join(dir, "absent")); !d.Missing {
		t.Errorf("a directory that is not there: %+v", d)
	}
	if d := s.directory(t.Context(), filepath.Join(dir, "fb_init")); !strings.Contains(d.Refused, "no directory") {
		t.Errorf("a file: %+v", d)
	}
}
