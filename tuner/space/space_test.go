package space

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

func version(t testing.TB, text string) confgen.Version {
	t.Helper()
	v, err := confgen.ParseVersion(text)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// oltp is the load of the project's default, at its quick size.
var oltp = Load{Connections: 20, PageSize: 8 * confgen.KiB}

func build(t testing.TB, v string, change func(*Options)) *Space {
	t.Helper()
	o := Options{Version: version(t, v), Load: oltp, Cap: 8 * confgen.GiB}
	if change != nil {
		change(&o)
	}
	s, err := Build(o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// few takes settings out of a space whose other ones are under test.
func few(o *Options) { o.Fix = append(o.Fix, "TcpRemoteBufferSize=8192", "LockHashSlots=8191") }

func names(s *Space) string {
	list := make([]string, len(s.Dimensions))
	for i, d := range s.Dimensions {
		list[i] = d.Name
	}
	return strings.Join(list, " ")
}

func TestSpaceHoldsWhatTheLoadFeels(t *testing.T) {
	reports := func(o *Options) { o.Load.Reports = 2 }
	only := func(list ...string) func(*Options) { return func(o *Options) { o.Only = list } }
	for _, test := range []struct {
		version string
		change  func(*Options)
		want    string
	}{
		{"3.0", nil, "ServerMode DefaultDbCachePages LockHashSlots LockMemSize GCPolicy FileSystemCacheThreshold TcpRemoteBufferSize"},
		{"4.0", nil, "ServerMode DefaultDbCachePages LockHashSlots LockMemSize GCPolicy UseFileSystemCache TcpRemoteBufferSize"},
		{"5.0", nil, "ServerMode DefaultDbCachePages LockHashSlots LockMemSize GCPolicy UseFileSystemCache TcpRemoteBufferSize MaxStatementCacheSize OptimizeForFirstRows"},
		{"3.0", reports, "ServerMode DefaultDbCachePages LockHashSlots LockMemSize TempCacheLimit TempBlockSize GCPolicy FileSystemCacheThreshold TcpRemoteBufferSize"},
		{"4.0", reports, "ServerMode DefaultDbCachePages LockHashSlots LockMemSize TempCacheLimit TempBlockSize GCPolicy InlineSortThreshold UseFileSystemCache TcpRemoteBufferSize"},
		{"2.5", func(o *Options) { o.Modes = []confgen.Mode{confgen.Classic} }, "DefaultDbCachePages LockHashSlots LockMemSize FileSystemCacheThreshold TcpRemoteBufferSize"},
		{"3.0", only("tempcachelimit", "DefaultDbCachePages"), "DefaultDbCachePages TempCacheLimit"},
		{"5.0", only("ParallelWorkers", "DatabaseGrowthIncrement"), "ParallelWorkers DatabaseGrowthIncrement"},
		{"4.0", only("ReadConsistency"), "ReadConsistency"},
		{"3.0", func(o *Options) { o.Fix = []string{"ServerMode=Classic", "LockMemSize=16M"} }, "DefaultDbCachePages LockHashSlots FileSystemCacheThreshold TcpRemoteBufferSize"},
		{"3.0", func(o *Options) { o.Ranges = []string{"LockAcquireSpins=0..100"} }, "ServerMode DefaultDbCachePages LockHashSlots LockMemSize GCPolicy FileSystemCacheThreshold TcpRemoteBufferSize LockAcquireSpins"},
	} {
		if got := names(build(t, test.version, test.change)); got != test.want {
			t.Errorf("%s: dimensions %s\nwant %s", test.version, got, test.want)
		}
	}
}

func TestOmissionsSayWhy(t *testing.T) {
	s := build(t, "5.0", nil)
	why := map[string]string{}
	for _, o := range s.Omitted {
		why[o.Name] = o.Reason
	}
	for name, want := range map[string]string{
		confgen.TempCacheLimit: "--reports", confgen.TempBlockSize: "--reports", confgen.InlineSortThreshold: "--reports",
		confgen.ParallelWorkers: "felt by load", confgen.MaxParallelWorkers: "felt by load", confgen.DatabaseGrowthIncrement: "felt by load",
		confgen.FileSystemCacheThreshold: confgen.UseFileSystemCache, confgen.MaxUnflushedWrites: "safety of data", confgen.MaxUnflushedWriteTime: "safety of data",
	} {
		if !strings.Contains(why[name], want) {
			t.Errorf("%s is left out because %q, want something about %q", name, why[name], want)
		}
		delete(why, name)
	}
	if len(why) > 0 {
		t.Errorf("also left out: %v", why)
	}
}

func TestEveryLadderHoldsTheDefault(t *testing.T) {
	for _, v := range []string{"2.5", "3.0", "4.0", "5.0", "6.0"} {
		for _, mode := range confgen.Modes() {
			for _, reports := range []int{0, 2} {
				s := build(t, v, func(o *Options) { o.Modes, o.Load.Reports = []confgen.Mode{mode}, reports })
				for i, d := range s.Dimensions {
					ladder, ok := d.Ladder(mode)
					if !ok {
						continue
					}
					if ladder.Default == Off {
						t.Errorf("%s %s: %s has no default among %q", v, mode, d.Name, ladder.Values)
						continue
					}
					setting, _ := confgen.Lookup(d.Name)
					def, _ := setting.Default(s.Version, mode)
					want, err := setting.Means(s.Version, mode, def)
					got, err2 := setting.Means(s.Version, mode, ladder.Values[ladder.Default])
					if err != nil || err2 != nil || got != want {
						t.Errorf("%s %s: the default of %s is %q, the engine's %q (%v, %v)", v, mode, d.Name, got, want, err, err2)
					}
					if !slices.IsSorted(ladder.At) || ladder.At[0] != 0 || ladder.At[len(ladder.At)-1] != 1 {
						t.Errorf("%s %s: %s lies at %v (dimension %d)", v, mode, d.Name, ladder.At, i)
					}
				}
				if p, exact, err := s.Point(map[string]string{"ServerMode": string(mode)}); err != nil || !exact || !s.Fits(p) {
					t.Errorf("%s %s: stock is %v, exact %v, %v", v, mode, p, exact, err)
				}
			}
		}
	}
}

func TestValuesAreWrittenForTheVersion(t *testing.T) {
	for _, test := range []struct{ version, limit, pages string }{
		{"2.5", "8388608", "512"}, {"3.0", "8M", "512"}, {"4.0", "8M", "512"},
	} {
		s := build(t, test.version, func(o *Options) {
			o.Modes, o.Load.Reports = []confgen.Mode{confgen.Classic}, 2
		})
		settings := map[string]string{"TempCacheLimit": test.limit, "DefaultDbCachePages": test.pages}
		p, exact, err := s.Point(settings)
		if err != nil || !exact {
			t.Fatalf("%s: %v, exact %v, %v", test.version, p, exact, err)
		}
		got := s.Settings(p)
		for name, want := range settings {
			if got[name] != want {
				t.Errorf("%s: %s is written %q, want %q", test.version, name, got[name], want)
			}
		}
		if _, written := got["ServerMode"]; written != (test.version != "2.5") {
			t.Errorf("%s: ServerMode in %v", test.version, got)
		}
		for name, text := range got {
			setting, _ := confgen.Lookup(name)
			if err := setting.CheckValue(s.Version, text); err != nil {
				t.Errorf("%s: %v", test.version, err)
			}
		}
	}
}

func TestPagesAreConditionalOnTheArchitecture(t *testing.T) {
	s := build(t, "3.0", few)
	pages := s.Dimensions[s.index(confgen.DefaultDbCachePages)]
	super, _ := pages.Ladder(confgen.Super)
	classic, _ := pages.Ladder(confgen.Classic)
	if slices.Equal(super.Values, classic.Values) {
		t.Errorf("Super and Classic have the same pages %q", super.Values)
	}
	policy := s.index(confgen.GCPolicy)
	seen := map[confgen.Mode]int{}
	for p := range s.All() {
		mode := s.Mode(p)
		seen[mode]++
		if (p[policy] == Off) != (mode != confgen.Super) {
			t.Fatalf("GCPolicy is rung %d in %s", p[policy], mode)
		}
		if _, set := s.Settings(p)[confgen.GCPolicy]; set != (mode == confgen.Super) {
			t.Fatalf("%s writes %v", mode, s.Settings(p))
		}
	}
	if len(seen) != 3 || s.Size() != seen[confgen.Super]+seen[confgen.SuperClassic]+seen[confgen.Classic] {
		t.Errorf("%v points by architecture, Size %d", seen, s.Size())
	}
}

func TestPointsHaveDifferentKeysAndSettings(t *testing.T) {
	s := build(t, "4.0", few)
	keys, written := map[string]bool{}, map[string]bool{}
	n := 0
	for p := range s.All() {
		n++
		keys[s.Key(p)] = true
		written[fmt.Sprint(s.Settings(p))] = true
		if q := s.At(s.Bins(p)); !slices.Equal(p, q) {
			t.Fatalf("%v comes back as %v", p, q)
		}
		if q, exact, err := s.Point(s.Settings(p)); err != nil || !exact || !slices.Equal(p, q) {
			t.Fatalf("%v read back from its settings is %v, exact %v, %v", p, q, exact, err)
		}
		for _, x := range s.Encode(p) {
			if !(x >= 0 && x <= 1) {
				t.Fatalf("%v is encoded %v", p, s.Encode(p))
			}
		}
	}
	if len(keys) != n || len(written) != n || n != s.Size() {
		t.Errorf("%d points, %d keys, %d configurations, Size %d", n, len(keys), len(written), s.Size())
	}
}

func TestLaddersHoldWhatPointsWrite(t *testing.T) {
	for _, v := range []string{"3.0", "4.0"} {
		s := build(t, v, func(o *Options) { few(o); o.Modes = []confgen.Mode{confgen.Super, confgen.Classic} })
		ladders := s.Ladders()
		for p := range s.All() {
			for name, text := range s.Settings(p) {
				if !slices.Contains(ladders[name], text) {
					t.Fatalf("%s: %s = %s is not among %q", v, name, text, ladders[name])
				}
			}
		}
	}
}

func TestMemoryModelRefusesBeforeItRuns(t *testing.T) {
	const limit = 800 * confgen.MiB
	s := build(t, "3.0", func(o *Options) { few(o); o.Cap = limit })
	refused := 0
	for p := range s.All() {
		err := s.Feasible(p)
		need, planErr := confgen.Required(s.Candidate(p))
		if planErr != nil {
			t.Fatal(planErr)
		}
		var large *confgen.DoesNotFit
		if errors.As(err, &large) != (need > limit) || s.Fits(p) != (err == nil) {
			t.Fatalf("%s needs %s of %s: %v, fits %v", s.Key(p), need, limit, err, s.Fits(p))
		}
		if large != nil {
			refused++
		}
	}
	if refused == 0 || len(s.Refused) == 0 {
		t.Errorf("%d points refused, values left out: %v", refused, s.Refused)
	}
	_, err := Build(Options{Version: s.Version, Load: oltp, Cap: 8 * confgen.MiB})
	if err == nil {
		t.Error("8 MiB are enough for a server")
	}
}

func TestCacheLargerThanTheDatabaseIsLeftOut(t *testing.T) {
	s := build(t, "3.0", func(o *Options) { o.Load.Database = 100 * confgen.MiB })
	ladder, _ := s.Dimensions[s.index(confgen.DefaultDbCachePages)].Ladder(confgen.Super)
	if got := ladder.Values[len(ladder.Values)-1]; got != "16384" {
		t.Errorf("the largest cache of a database of 12,800 pages has %s pages, want 16384", got)
	}
}

func TestLockTableThatWouldCrashIsRefused(t *testing.T) {
	s := build(t, "3.0", func(o *Options) {
		o.Only = []string{"LockHashSlots"}
		o.Ranges = []string{"LockMemSize=256K..4M"}
	})
	p, exact, err := s.Point(map[string]string{"LockHashSlots": "65521", "LockMemSize": "256K"})
	if err != nil || !exact {
		t.Fatal(p, exact, err)
	}
	if err := s.Feasible(p); err == nil || !strings.Contains(err.Error(), "8885") {
		t.Errorf("65521 slots in 256 KiB: %v", err)
	}
}

func TestCacheModeIsPinnedAcrossTheCliff(t *testing.T) {
	const cliff = 65536
	for _, test := range []struct {
		version string
		change  func(*Options)
	}{
		{"3.0", few}, {"4.0", few}, {"5.0", few}, {"6.0", few},
		{"3.0", func(o *Options) { o.Only = []string{"DefaultDbCachePages"} }},
		{"4.0", func(o *Options) { o.Only = []string{"DefaultDbCachePages"} }},
		{"3.0", func(o *Options) { few(o); o.Ranges = []string{"DefaultDbCachePages=16384..131072"} }},
		{"3.0", func(o *Options) { few(o); o.Fix = append(o.Fix, "FileSystemCacheThreshold=0") }},
		{"4.0", func(o *Options) { few(o); o.Fix = append(o.Fix, "UseFileSystemCache=false") }},
	} {
		s := build(t, test.version, test.change)
		modes := map[string]map[bool]bool{} // by what the point says, what the engine does
		crossed := 0
		pages := s.index(confgen.DefaultDbCachePages)
		for p := range s.All() {
			settings, mode := s.Settings(p), s.Mode(p)
			if text, ok := s.Ladder(pages, p); ok && confgen.ParseSize(text.Values[p[pages]]) >= cliff {
				crossed++
			}
			says := ""
			if i := s.index(cacheModeSetting(s.Version)); i >= 0 {
				says = s.Value(i, p)
			}
			if modes[says] == nil {
				modes[says] = map[bool]bool{}
			}
			direct := settings[confgen.UseFileSystemCache] == "false"
			if _, set := settings[confgen.UseFileSystemCache]; !set {
				at, decides := cliffOf(s.Version, settings)
				direct = decides && number(s.Version, mode, settings, confgen.DefaultDbCachePages) >= at
			}
			modes[says][direct] = true
		}
		if crossed == 0 {
			t.Errorf("%s: no point beyond the cliff", test.version)
		}
		for says, does := range modes {
			if len(does) != 1 {
				t.Errorf("%s: points that say %q open files with O_DIRECT and without", test.version, says)
			}
		}
	}
	for _, fix := range []string{"FileSystemCacheThreshold=65536", "FileSystemCacheThreshold=4096"} {
		_, err := Build(Options{Version: version(t, "3.0"), Load: oltp, Cap: 8 * confgen.GiB, Fix: []string{fix}})
		if err == nil || !strings.Contains(err.Error(), "fix it to 0 or to") {
			t.Errorf("%s: %v", fix, err)
		}
	}
}

// cliffOf reads the rule from the sources' words: page buffers not fewer than
// the threshold, from the version that has one.
func cliffOf(v confgen.Version, settings map[string]string) (int64, bool) {
	if v.AtLeast(confgen.Version{Major: 6, Patch: confgen.AnyPatch}) {
		return 0, false
	}
	if text, set := settings[confgen.FileSystemCacheThreshold]; set {
		return confgen.ParseSize(text), true
	}
	return 65536, true
}

func TestDurabilityIsFlagged(t *testing.T) {
	for _, change := range []func(*Options){
		func(o *Options) { o.Only = []string{"MaxUnflushedWrites"} },
		func(o *Options) { o.Ranges = []string{"MaxUnflushedWriteTime=1..60"} },
		func(o *Options) { o.Fix = []string{"MaxUnflushedWrites=1000"} },
	} {
		if s := build(t, "3.0", change); len(s.Flags) != 1 || !strings.Contains(s.Flags[0], "MaxUnflushed") {
			t.Errorf("%s: flags %q", names(s), s.Flags)
		}
	}
	if s := build(t, "3.0", nil); len(s.Flags) > 0 {
		t.Errorf("flags %q without a setting of that kind", s.Flags)
	}
}

func TestRangesAndInclusions(t *testing.T) {
	values := func(s *Space, name string, mode confgen.Mode) []string {
		ladder, _ := s.Dimensions[s.index(name)].Ladder(mode)
		return ladder.Values
	}
	s := build(t, "3.0", func(o *Options) { o.Ranges = []string{"DefaultDbCachePages=1000..16000", "LockMemSize=1M..2M"} })
	pages := values(s, "DefaultDbCachePages", confgen.Super)
	if pages[0] != "1000" || pages[len(pages)-1] != "16000" || !slices.Contains(pages, "2048") || len(pages) != 6 {
		t.Errorf("pages from 1000 to 16000: %q", pages)
	}
	if memory := values(s, "LockMemSize", confgen.Super); len(memory) != 4 || memory[0] != "1M" || memory[3] != "2M" {
		t.Errorf("LockMemSize from 1M to 2M: %q", memory)
	}
	present := map[string]string{"ServerMode": "Classic", "defaultdbcachepages": "700", "LockHashSlots": "12345"}
	s = build(t, "3.0", func(o *Options) { o.Include = []map[string]string{present} })
	if !slices.Contains(values(s, "DefaultDbCachePages", confgen.Classic), "700") || slices.Contains(values(s, "DefaultDbCachePages", confgen.Super), "700") {
		t.Errorf("700 pages of Classic are in the ladders %q of Classic and %q of Super",
			values(s, "DefaultDbCachePages", confgen.Classic), values(s, "DefaultDbCachePages", confgen.Super))
	}
	if p, exact, err := s.Point(present); err != nil || !exact || s.Mode(p) != confgen.Classic {
		t.Errorf("the present configuration is %v, exact %v, %v", p, exact, err)
	}
	if p, exact, err := s.Point(map[string]string{"DefaultDbCachePages": "1500"}); err != nil || exact || s.Settings(p)["DefaultDbCachePages"] != "1024" && s.Settings(p)["DefaultDbCachePages"] != "2048" {
		t.Errorf("1500 pages are %v, exact %v, %v", s.Settings(p), exact, err)
	}
}

func TestWorkersHaveTheirPartner(t *testing.T) {
	s := build(t, "5.0", func(o *Options) { o.Only = []string{"ParallelWorkers"} })
	if s.Held["MaxParallelWorkers"] != "64" {
		t.Errorf("held %v: ParallelWorkers has no effect above MaxParallelWorkers", s.Held)
	}
	s = build(t, "5.0", func(o *Options) { o.Only = []string{"ParallelWorkers", "MaxParallelWorkers"} })
	for p := range s.Points() {
		settings := s.Settings(p)
		if confgen.ParseSize(settings["ParallelWorkers"]) > confgen.ParseSize(settings["MaxParallelWorkers"]) {
			t.Errorf("%v is feasible", settings)
		}
	}
}

func TestBuildErrorsSayWhatToDo(t *testing.T) {
	for _, test := range []struct {
		version string
		options Options
		want    string
	}{
		{"3.0", Options{Only: []string{"DefaultDbCachePage"}}, "did you mean DefaultDbCachePages?"},
		{"3.0", Options{Only: []string{"InlineSortThreshold"}}, "leave it out"},
		{"3.0", Options{Only: []string{"TempDirectories"}}, "fix it by --fix"},
		{"3.0", Options{Only: []string{"DeadlockTimeout"}}, "--range DeadlockTimeout=lo..hi"},
		{"4.0", Options{Only: []string{"FileSystemCacheThreshold"}}, "UseFileSystemCache"},
		{"3.0", Options{Ranges: []string{"FileSystemCacheThreshold=0..9"}}, "FileSystemCacheThreshold by --only"},
		{"3.0", Options{Ranges: []string{"DefaultDbCachePages=1024"}}, "write Key=lo..hi"},
		{"3.0", Options{Ranges: []string{"DefaultDbCachePages=..9"}}, "write both ends"},
		{"3.0", Options{Ranges: []string{"DefaultDbCachePages=9..20"}}, "write the smaller end first"},
		{"3.0", Options{Ranges: []string{"LockMemSize=64MB..128M"}}, "reads this as 0"},
		{"3.0", Options{Ranges: []string{"GCPolicy=a..b"}}, "name it by --only"},
		{"3.0", Options{Ranges: []string{"LockMemSize=1M..2M", "LockMemSize=1M..2M"}}, "given twice"},
		{"3.0", Options{Fix: []string{"GCPolicy=fast"}}, "write one of"},
		{"3.0", Options{Fix: []string{"LockMemSize=1M"}, Only: []string{"LockMemSize"}}, "leave out one of both"},
		{"2.5", Options{}, "--mode"},
	} {
		test.options.Version, test.options.Load = version(t, test.version), oltp
		s, err := Build(test.options)
		if err == nil {
			t.Errorf("%v: built with %s", test.options, names(s))
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%v: %v, want %q in it", test.options, err, test.want)
		}
	}
}

func TestNeighboursAreOneStepAway(t *testing.T) {
	s := build(t, "3.0", nil)
	p := s.Default(confgen.Super)
	near := map[string]bool{}
	for _, q := range s.Neighbours(p) {
		near[s.Key(q)] = true
		if !s.Fits(q) || slices.Equal(p, q) {
			t.Errorf("%s is a neighbour", s.Key(q))
		}
	}
	changed := func(name, text string) string {
		settings := s.Settings(p)
		settings[name] = text
		q, exact, err := s.Point(settings)
		if err != nil || !exact {
			t.Fatal(name, text, q, exact, err)
		}
		return s.Key(q)
	}
	for _, want := range []string{changed("DefaultDbCachePages", "1024"), changed("DefaultDbCachePages", "4096"), changed("GCPolicy", "cooperative"), changed("FileSystemCacheThreshold", "0")} {
		if !near[want] {
			t.Errorf("%s is not a neighbour", want)
		}
	}
	if near[changed("DefaultDbCachePages", "512")] {
		t.Error("two steps are a neighbour's")
	}
	if modes := slices.Collect(maps.Keys(near)); !slices.ContainsFunc(modes, func(key string) bool { return strings.HasPrefix(key, "ServerMode=Classic ") }) {
		t.Errorf("no neighbour in Classic among %q", modes)
	}
}

func TestDistance(t *testing.T) {
	s := build(t, "3.0", nil)
	super, classic := s.Default(confgen.Super), s.Default(confgen.Classic)
	if s.Distance(super, super) != 0 || s.Distance(super, classic) != s.Distance(classic, super) {
		t.Error("not a distance")
	}
	// The architecture, and GCPolicy that only Super has, count 1 each.
	if d := s.Distance(super, classic); d < math.Sqrt2 {
		t.Errorf("Super and Classic are %g apart", d)
	}
}

func TestUnbin(t *testing.T) {
	for _, test := range []struct {
		x    float64
		n, w int
	}{{0, 4, 0}, {0.249, 4, 0}, {0.25, 4, 1}, {0.999, 4, 3}, {1, 4, 3}, {7, 4, 3}, {-7, 4, 0}, {math.NaN(), 4, 0}, {math.Inf(1), 4, 3}, {math.Inf(-1), 4, 0}} {
		if got := Unbin(test.x, test.n); got != test.w {
			t.Errorf("Unbin(%g, %d) = %d, want %d", test.x, test.n, got, test.w)
		}
	}
}

func TestSpaceOfConfigurations(t *testing.T) {
	cells := []map[string]string{
		{"ServerMode": "Super", "DefaultDbCachePages": "2048", "GCPolicy": "combined", "FileSystemCacheThreshold": "0"},
		{"ServerMode": "Super", "DefaultDbCachePages": "65536", "GCPolicy": "cooperative", "FileSystemCacheThreshold": "262144"},
		{"ServerMode": "Classic", "DefaultDbCachePages": "256", "LockHashSlots": "8191"},
		{"ServerMode": "Classic", "DefaultDbCachePages": "1024", "LockHashSlots": "30011"},
	}
	s, err := Of(version(t, "3.0"), cells)
	if err != nil {
		t.Fatal(err)
	}
	if got := names(s); got != "ServerMode DefaultDbCachePages FileSystemCacheThreshold GCPolicy LockHashSlots" {
		t.Errorf("dimensions %s", got)
	}
	seen := map[string]bool{}
	for p := range s.Points() {
		seen[fmt.Sprint(s.Settings(p))] = true
	}
	for _, cell := range cells {
		if !seen[fmt.Sprint(cell)] {
			t.Errorf("%v is not feasible", cell)
		}
	}
	if len(seen) != len(cells) || s.Size() != len(cells) {
		t.Errorf("%d points are feasible, Size %d, want %d", len(seen), s.Size(), len(cells))
	}
	if stock := s.Settings(s.Default(confgen.Super)); stock["FileSystemCacheThreshold"] != "262144" {
		t.Errorf("stock is %v, which opens files with O_DIRECT", stock)
	}
	if _, err := Of(version(t, "3.0"), append(cells, cells[0])); err == nil {
		t.Error("a configuration given twice is taken")
	}
}
