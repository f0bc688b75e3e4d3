package confgen

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/probe"
)

// recommendation returns the advice about one setting.
func (a Advice) recommendation(t *testing.T, name string) Recommendation {
	t.Helper()
	i := slices.IndexFunc(a.Settings, func(r Recommendation) bool { return r.Name == name })
	if i < 0 {
		t.Fatalf("no advice about %s", name)
	}
	return a.Settings[i]
}

// cache returns the page buffers advised for the first database.
func (a Advice) cache(t *testing.T) int64 {
	t.Helper()
	if len(a.Databases) > 0 {
		return int64(a.Databases[0].Pages)
	}
	return ParseSize(a.recommendation(t, DefaultDbCachePages).Value)
}

// gridCase is one advice of a grid.
type gridCase struct {
	name   string
	in     Input
	advice Advice
	err    error
}

// grid advises over versions, architectures, loads, databases and memories. It
// calls visit with the advices that differ in memory only, in the order of it.
func grid(visit func([]gridCase)) {
	memories := []Bytes{512 * MiB, GiB, 2 * GiB, 4 * GiB, 12 * GiB, 16 * GiB, 64 * GiB, 256 * GiB, TiB}
	hundred := make([]Bytes, 100)
	for i := range hundred {
		hundred[i] = Bytes(i) * GiB
	}
	for _, version := range []Version{{2, 5, AnyPatch}, {3, 0, AnyPatch}, {4, 0, 4}, {4, 0, AnyPatch}, {5, 0, 0}, {5, 0, AnyPatch}} {
		modes := Modes()
		if version.Major == 2 {
			modes = append(modes, "") // the only version in which the choice depends on the facts
		}
		for _, mode := range modes {
			for i, connections := range []int{1, 20, 100, 500, 5000} {
				sizes := PageSizes(version)
				for _, pageSize := range []Bytes{sizes[0], sizes[len(sizes)-1]} {
					for _, databases := range [][]Bytes{nil, {100 * MiB}, {100 * GiB}, {GiB, 50 * GiB, 0}, hundred} {
						if len(databases) == 100 && connections != 20 {
							continue
						}
						var row []gridCase
						for _, memory := range memories {
							in := Input{
								Version: version, Mode: mode, Connections: connections, Memory: memory,
								CPUs: []int{1, 2, 8, 64, 192}[i], Workload: []Workload{OLTP, Mixed, Reporting}[i%3],
							}
							for i, size := range databases {
								in.Databases = append(in.Databases, Database{Path: fmt.Sprintf("/db/%d.fdb", i), Size: size, PageSize: pageSize})
							}
							name := fmt.Sprintf("%s/%s/%d/%d/%d databases of %v/%s", version, mode, connections, pageSize, len(databases), databases[:min(len(databases), 3)], memory)
							a, err := Recommend(in)
							row = append(row, gridCase{name, in, a, err})
						}
						visit(row)
					}
				}
			}
		}
	}
}

// TestGrid holds what must be true of every advice.
func TestGrid(t *testing.T) {
	advised, refused := map[string]int{}, map[string]int{}
	grid(func(row []gridCase) {
		before := int64(0)
		for _, c := range row {
			line := c.in.Version.Line().String()
			var no *Infeasible
			switch {
			case errors.As(c.err, &no):
				refused[line]++
				checkInfeasible(t, c.name, c.in, no)
			case c.err != nil:
				t.Errorf("%s: %v", c.name, c.err)
			default:
				advised[line]++
				checkAdvice(t, c.name, c.advice)
				checkShare(t, c.name, c.in, c.advice)
				cache := c.advice.cache(t)
				if cache < before && c.in.Mode != "" { // a chosen architecture may change with the memory
					t.Errorf("%s: a cache of %d pages, %d with less memory", c.name, cache, before)
				}
				before = cache
			}
		}
	})
	t.Logf("advised %v, refused as infeasible %v", advised, refused)
	for _, v := range Advised() {
		if advised[v.String()] < 500 || refused[v.String()] < 20 {
			t.Errorf("the grid of %s is too narrow", v)
		}
	}
}

// checkShare holds that the page caches use at least 80 % of their share where
// the databases are larger, unless something else needs the memory.
func checkShare(t *testing.T, name string, in Input, a Advice) {
	t.Helper()
	if a.Mode != Super || !in.Version.AtLeast(Version{3, 0, 0}) || len(in.Databases) == 0 {
		return
	}
	share := Bytes(float64(a.Memory) * cacheShareSuper)
	used := Bytes(0)
	for i, d := range a.Databases {
		if size := in.Databases[i].Size; size < share || size == 0 {
			return // a small one limits the sum
		}
		used += d.Pages.Of(d.PageSize + pageDescriptor)
	}
	tight := a.Budget.Total.Worst+GiB/4 > a.Memory*95/100
	if used < share*80/100 && !tight {
		t.Errorf("%s: the page caches use %s of their share of %s", name, used, share)
	}
}

// checkAdvice holds the invariants of one advice.
func checkAdvice(t *testing.T, name string, a Advice) {
	t.Helper()
	if a.Budget.Total.Worst > a.Memory {
		t.Errorf("%s: needs %s of %s", name, a.Budget.Total.Worst, a.Memory)
	}
	sum := Bytes(0)
	for _, l := range a.Budget.Lines {
		sum += l.Worst
	}
	if sum != a.Budget.Total.Worst {
		t.Errorf("%s: the lines add up to %d, the total is %d", name, sum, a.Budget.Total.Worst)
	}
	number := map[string]int64{}
	for _, rec := range a.Settings {
		setting, ok := Lookup(rec.Name)
		if !ok || rec.Why == "" || rec.Means == "" || rec.Default == "" {
			t.Errorf("%s: %+v has gaps", name, rec)
		}
		if setting.Type != Integer {
			continue
		}
		asked := a.Version.dialect().Int(rec.Value)
		got, err := setting.Number(a.Version, a.Mode, rec.Value)
		if err != nil || got != asked {
			t.Errorf("%s: the engine makes %d of %s = %s, %v", name, got, rec.Name, rec.Value, err)
		}
		number[rec.Name] = asked
	}
	def, _ := Default(DefaultDbCachePages, a.Version, a.Mode)
	if least, _ := strconv.ParseInt(def, 10, 64); a.cache(t) < least {
		t.Errorf("%s: a cache of %d pages is below the default", name, a.cache(t))
	}
	if number[LockMemSize] < 8*number[LockHashSlots]+16<<10 {
		t.Errorf("%s: %d slots in %d bytes crash the server (issue 8885)", name, number[LockHashSlots], number[LockMemSize])
	}
	if number[LockMemSize] > int64(mostLockMemory) {
		t.Errorf("%s: LockMemSize = %d (issue 6994)", name, number[LockMemSize])
	}
	if threshold := number[FileSystemCacheThreshold]; !a.Version.AtLeast(v40) && threshold <= a.cache(t) {
		t.Errorf("%s: %d pages with a threshold of %d open the file with O_DIRECT", name, a.cache(t), threshold)
	}
	if a.Version.AtLeast(v40) && a.cache(t) >= 65536 {
		if rec := a.recommendation(t, UseFileSystemCache); !rec.Changed && rec.CurrentSource == fromDefault {
			t.Errorf("%s: %d pages without UseFileSystemCache open the file with O_DIRECT", name, a.cache(t))
		}
	}
}

// checkInfeasible holds that the largest number of connections named is
// feasible and the next is not.
func checkInfeasible(t *testing.T, name string, in Input, no *Infeasible) {
	t.Helper()
	if no.Largest >= in.Connections {
		t.Errorf("%s: %d connections are refused and %d named as feasible", name, in.Connections, no.Largest)
	}
	for _, test := range []struct {
		connections int
		feasible    bool
	}{{no.Largest, true}, {no.Largest + 1, false}} {
		if test.connections == 0 {
			continue
		}
		in.Connections = test.connections
		if _, err := Recommend(in); (err == nil) != test.feasible {
			t.Errorf("%s: %d connections: %v", name, test.connections, err)
		}
	}
}

// TestPublished compares with the eight published outputs of IBSurgeon's
// calculator for Firebird 5.0 in Super: a page cache of 25 % of RAM at 16 KiB
// pages, of which ours takes off the page descriptors. Everything stays within
// a factor of 2.
func TestPublished(t *testing.T) {
	for _, published := range []struct {
		ram        Bytes
		users      int
		cpus       int
		pages      int64
		temp       Bytes
		statements Bytes
	}{
		{20 * GiB, 10, 2, 327680, 2731 * MiB, 32 * MiB},
		{20 * GiB, 20, 2, 327680, 2731 * MiB, 32 * MiB},
		{20 * GiB, 30, 2, 327680, 2731 * MiB, 32 * MiB},
		{20 * GiB, 40, 2, 327680, 2731 * MiB, 26 * MiB},
		{20 * GiB, 50, 2, 327680, 2731 * MiB, 20 * MiB},
		{20 * GiB, 200, 2, 327680, 2731 * MiB, 5 * MiB},
		{16 * GiB, 30, 10, 262144, 2185 * MiB, 27 * MiB},
		{12 * GiB, 30, 8, 196608, 1536 * MiB, 20 * MiB},
	} {
		a, err := Recommend(Input{
			Version: Version{5, 0, AnyPatch}, Memory: published.ram, Connections: published.users, CPUs: published.cpus,
			Databases: []Database{{Path: "/db/main.fdb", Size: 100 * GiB, PageSize: 16384}},
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, value := range []struct {
			name      string
			got, want int64
		}{
			{DefaultDbCachePages, int64(a.Databases[0].Pages), published.pages},
			{TempCacheLimit, ParseSize(a.recommendation(t, TempCacheLimit).Value), int64(published.temp)},
			{MaxStatementCacheSize, ParseSize(a.recommendation(t, MaxStatementCacheSize).Value), int64(published.statements)},
		} {
			if value.got > 2*value.want || value.got < value.want/2 {
				t.Errorf("%s, %d users: %s = %d, published %d", published.ram, published.users, value.name, value.got, value.want)
			}
		}
		if pages := int64(a.Databases[0].Pages); pages > published.pages || pages < published.pages*9/10 {
			t.Errorf("%s, %d users: %d pages, published %d", published.ram, published.users, pages, published.pages)
		}
	}
}

// followed returns an input as it is once its advice is in force.
func followed(t *testing.T, in Input, a Advice) (Input, []ConfFile) {
	t.Helper()
	files, err := a.Files(Base{})
	if err != nil {
		t.Fatal(err)
	}
	read := parsed(a, files)
	if in.Current, err = ReadCurrent(read.Conf); err != nil {
		t.Fatal(err)
	}
	in.Databases = slices.Clone(in.Databases)
	for i, d := range a.Databases {
		in.Databases[i].Pages = d.Pages
	}
	return in, files
}

// TestSecondRun checks over a sample of the grid that the files hold what was
// advised, and that the advice, once followed, asks for nothing.
func TestSecondRun(t *testing.T) {
	count, sampled := 0, 0
	grid(func(row []gridCase) {
		for _, c := range row {
			if count++; c.err != nil || count%23 != 0 {
				continue
			}
			sampled++
			in, files := followed(t, c.in, c.advice)
			readBack(t, c.name, c.advice, files)
			if c.in.Memory >= 16*GiB && c.in.Connections <= 100 {
				in.Memory = in.Memory * 102 / 100 // where nothing is tight, the tolerance covers a little more of it
			}
			second, err := Recommend(in)
			if err != nil {
				t.Fatal(err)
			}
			if !second.NothingToDo() {
				for _, rec := range second.Settings {
					if rec.Changed {
						t.Errorf("%s: %s changes from %s to %s in a second run", c.name, rec.Name, rec.Current, rec.Value)
					}
				}
				for _, d := range second.Databases {
					if d.Changed {
						t.Errorf("%s: the cache of %s changes from %d to %d in a second run", c.name, d.Name, d.Current, d.Pages)
					}
				}
			}
		}
	})
	if sampled < 150 {
		t.Errorf("only %d advices were followed", sampled)
	}
}

// TestKeepsGoodValues checks that present values as good as the advised ones
// stay, and others do not.
func TestKeepsGoodValues(t *testing.T) {
	current := func(values ...string) map[string]Current {
		m := map[string]Current{}
		for i := 0; i < len(values); i += 2 {
			m[values[i]] = Current{Value: values[i+1], Source: "firebird.conf:7"}
		}
		return m
	}
	for _, test := range []struct {
		name    string
		in      Input
		setting string
		want    string // the value; "!" and a value for any other
		warning string
	}{
		{"more slots", Input{Mode: Classic, Current: current("LockHashSlots", "49999")}, LockHashSlots, "49999", ""},
		{"a larger lock table", Input{Mode: Classic, Current: current("LockMemSize", "20M")}, LockMemSize, "20M", ""},
		{"too small a lock table", Input{Mode: Classic, Current: current("LockMemSize", "256K")}, LockMemSize, "12M", ""},
		{"a high threshold", Input{Current: current("FileSystemCacheThreshold", "2M")}, FileSystemCacheThreshold, "2M", ""},
		{"case 9: 85 % of RAM", Input{Current: current("DefaultDbCachePages", "1750000")}, DefaultDbCachePages, "!1750000", "the present configuration needs"},
		{"case 12: 64MB", Input{Current: current("DefaultDbCachePages", "64MB")}, DefaultDbCachePages, "!64MB", "64MB (firebird.conf:7) means 50 pages to the engine"},
		{"case 12: sorts on disk", Input{Current: current("TempCacheLimit", "2GB")}, TempCacheLimit, "!2GB", "means 0 B to the engine"},
		{"issue 8885", Input{Mode: Classic, Current: current("LockMemSize", "256K", "LockHashSlots", "65521")}, LockMemSize, "12M", ""},
		{"a typo is Super", Input{Mode: Super, Current: current("ServerMode", "SuperServer")}, ServerMode, "Super", ""},
		{"case 34", Input{Current: current("LockMemSize", "4G")}, LockMemSize, "3M", "cannot attach"},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.in.Version, test.in.Memory, test.in.Connections = Version{3, 0, 11}, 16*GiB, 20
			a, err := Recommend(test.in)
			if err != nil {
				t.Fatal(err)
			}
			got := a.recommendation(t, test.setting).Value
			if other, not := strings.CutPrefix(test.want, "!"); not && got == other || !not && got != test.want {
				t.Errorf("%s = %s, want %s", test.setting, got, test.want)
			}
			if !strings.Contains(strings.Join(a.Warnings, "\n"), test.warning) {
				t.Errorf("no warning says %q: %q", test.warning, a.Warnings)
			}
			checkAdvice(t, test.name, a)
		})
	}
}

// TestLoweredLimit is case 63: a container's limit was lowered, its files kept.
func TestLoweredLimit(t *testing.T) {
	host := probe.Host{Memory: probe.Memory{Usable: probe.Given(GiB, "/sys/fs/cgroup/memory.max")}}
	a, err := Recommend(Input{
		Host: host, Version: Version{3, 0, 11},
		Current: map[string]Current{"DefaultDbCachePages": {"600000", "firebird.conf:3"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	checkAdvice(t, "lowered limit", a)
	if !strings.Contains(a.MemorySource, "/sys/fs/cgroup/memory.max") {
		t.Errorf("the source of the memory is %q", a.MemorySource)
	}
	if want := "870.4 MiB allowed"; !strings.Contains(strings.Join(a.Warnings, "\n"), want) {
		t.Errorf("no warning says %q: %q", want, a.Warnings)
	}
}

func TestShareAndReserve(t *testing.T) {
	for _, test := range []struct {
		share   float64
		reserve Bytes
		want    Bytes
	}{{0, 0, 16 * GiB}, {1, 0, 16 * GiB}, {0.5, 0, 8 * GiB}, {0, 4 * GiB, 12 * GiB}, {0.5, 12 * GiB, 4 * GiB}} {
		a, err := Recommend(Input{Version: Version{3, 0, 11}, Memory: 16 * GiB, Share: test.share, Reserve: test.reserve})
		if err != nil || a.Memory != test.want {
			t.Errorf("share %g, reserve %s: %s, %v, want %s", test.share, test.reserve, a.Memory, err, test.want)
		}
	}
}

// TestRefusals checks that what makes no sense is an error that says what to
// do, and never a panic.
func TestRefusals(t *testing.T) {
	db := func(name, path string) Database { return Database{Name: name, Path: path} }
	for _, test := range []struct {
		name string
		in   Input
		want string
	}{
		{"no memory", Input{}, "--memory"},
		{"absurd memory", Input{Memory: 2 * PiB}, "--memory"},
		{"negative memory", Input{Memory: -1}, "too little"},
		{"little memory", Input{Memory: MiB}, "at least 64 MiB"},
		{"all reserved", Input{Memory: GiB, Reserve: 2 * GiB}, "too little"},
		{"share", Input{Memory: GiB, Share: 1.5}, "such as 50%"},
		{"connections", Input{Memory: GiB, Connections: -1}, "from 1 to 30000"},
		{"mode", Input{Memory: GiB, Mode: "Turbo"}, "write one of them"},
		{"workload", Input{Memory: GiB, Workload: "web"}, "oltp, mixed or reporting"},
		{"version", Input{Memory: GiB, Version: Version{6, 0, 0}}, "2.5 to 5.0"},
		{"page size", Input{Memory: GiB, Databases: []Database{{Path: "/a.fdb", PageSize: 5000}}}, "4096, 8192, 16384"},
		{"relative path", Input{Memory: GiB, Databases: []Database{db("a", "a.fdb")}}, "in full"},
		{"same alias", Input{Memory: GiB, Databases: []Database{db("a", "/a.fdb"), db("A", "/b.fdb")}}, "another NAME"},
		{"same file", Input{Memory: GiB, Databases: []Database{db("a", "/a.fdb"), db("b", "/a.fdb")}}, "name it once"},
		{"security database", Input{Memory: GiB, Databases: []Database{db("security.db", "/a.fdb")}}, "another NAME"},
		{"brace", Input{Memory: GiB, Databases: []Database{db("a", "/a{.fdb")}}, "rename it"},
		{"line end", Input{Memory: GiB, Databases: []Database{db("a", "/a\n}.fdb")}}, "rename it"},
		{"macro", Input{Memory: GiB, Databases: []Database{db("a", "/$(dir)/a.fdb")}}, "rename it"},
	} {
		if test.in.Version == (Version{}) {
			test.in.Version = Version{3, 0, 11}
		}
		_, err := Recommend(test.in)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, want %q", test.name, err, test.want)
		}
	}
}

func TestModeChoice(t *testing.T) {
	for _, test := range []struct {
		in   Input
		want Mode
	}{
		{Input{}, Super},
		{Input{Isolation: true}, Classic},
		{Input{Mode: SuperClassic, Isolation: true}, SuperClassic},
	} {
		test.in.Version, test.in.Memory = Version{3, 0, 11}, 4*GiB
		a, err := Recommend(test.in)
		if err != nil || a.Mode != test.want {
			t.Errorf("%+v: %s, %v, want %s", test.in, a.Mode, err, test.want)
		}
	}
}

// TestBesides checks what is to be done outside the files.
func TestBesides(t *testing.T) {
	host := probe.Host{Limits: probe.Limits{
		OpenFilesSoft: probe.Given(int64(1024), "/proc/1/limits"), MaxMapCount: probe.Given(int64(65530), "/proc/sys/vm/max_map_count"),
	}}
	a, err := Recommend(Input{
		Host: host, Version: Version{3, 0, 11}, Mode: SuperClassic, Memory: 64 * GiB, Connections: 500,
		Databases: []Database{{Path: "/db/a.fdb"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	also := strings.Join(a.Also, "\n")
	for _, want := range []string{"restart", `gfix -buffers 0 "/db/a.fdb"`, "LimitNOFILE=65535 in the service's unit (now 1024)", "vm.max_map_count=256000 or more (now 65530)"} {
		if !strings.Contains(also, want) {
			t.Errorf("nothing says %q: %s", want, also)
		}
	}
	if warnings := strings.Join(a.Warnings, "\n"); !strings.Contains(warnings, "issue 7480") || !strings.Contains(warnings, "size of a is unknown") {
		t.Errorf("warnings: %s", warnings)
	}
}

func TestAdviceJSON(t *testing.T) {
	a, err := Recommend(Input{Version: Version{3, 0, 11}, Memory: 4 * GiB, Databases: []Database{{Path: "/db/a.fdb", Size: GiB}}})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var back Advice
	if err := json.Unmarshal(data, &back); err != nil {
		t.Fatal(err)
	}
	again, err := json.Marshal(back)
	if err != nil || string(again) != string(data) {
		t.Errorf("JSON does not read back as itself: %v\n%s\n%s", err, data, again)
	}
	for _, want := range []string{`"firebird":"3.0.11"`, `"memory_bytes":4294967296`, `"current_means":`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("JSON lacks %s", want)
		}
	}
}
