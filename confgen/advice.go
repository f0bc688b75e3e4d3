package confgen

import (
	"fmt"
	"slices"
	"strings"
)

// Advice is the configuration advised for a machine and a load, with the
// reason for each value.
type Advice struct {
	Version      Version          `json:"firebird"`
	Mode         Mode             `json:"mode"`
	ModeWhy      string           `json:"mode_why"`
	Memory       Bytes            `json:"memory_bytes"`  // what Firebird may have
	MemorySource string           `json:"memory_source"` // where that comes from
	Connections  int              `json:"connections"`
	Workload     Workload         `json:"workload"`
	Settings     []Recommendation `json:"settings"`            // of firebird.conf
	Databases    []DatabaseAdvice `json:"databases,omitempty"` // blocks of databases.conf
	Budget       Budget           `json:"budget"`              // its worst case is within Memory
	Observed     []string         `json:"observed,omitempty"`  // which values were moved by what was observed
	Also         []string         `json:"also,omitempty"`      // what must be done besides
	Warnings     []string         `json:"warnings,omitempty"`
}

// Recommendation is the advice about one setting of firebird.conf.
type Recommendation struct {
	Name          string `json:"name"`
	Group         string `json:"group"`
	Value         string `json:"value"` // as written in the file
	Means         string `json:"means"` // what the engine does with it
	Default       string `json:"default"`
	Current       string `json:"current"` // as written now; the default where nothing is
	CurrentMeans  string `json:"current_means"`
	CurrentSource string `json:"current_source"`
	Why           string `json:"why"`
	Risk          string `json:"risk,omitempty"`
	Changed       bool   `json:"changed"` // whether Value means something else than Current
}

// NothingToDo reports whether all that is advised is in force already.
func (a Advice) NothingToDo() bool {
	return !slices.ContainsFunc(a.Settings, func(r Recommendation) bool { return r.Changed }) &&
		!slices.ContainsFunc(a.Databases, func(d DatabaseAdvice) bool { return d.Changed })
}

// fromDefault is the source of a present value that no file sets.
const fromDefault = "default"

// DatabaseAdvice is the advice about one database's block in databases.conf.
type DatabaseAdvice struct {
	Name     string `json:"name"`
	Path     string `json:"path"`
	PageSize Bytes  `json:"page_size"`
	Pages    Pages  `json:"pages"`         // DefaultDbCachePages
	Current  Pages  `json:"current_pages"` // 0 when its block or header has none
	Why      string `json:"why"`
	Changed  bool   `json:"changed"`
}

// memorySystem is the line of the budget left to the operating system.
const memorySystem Memory = "operating system"

// Recommend advises a configuration. It is a pure function of its input. The
// error is an [*Infeasible] when the connections do not fit in the memory, a
// [*probe.MemoryError] when there is no memory to go by, or says which part of
// the input makes no sense.
func Recommend(in Input) (Advice, error) {
	f, err := check(in)
	if err != nil {
		return Advice{}, err
	}
	s, err := chosen(f)
	if err != nil {
		return Advice{}, err
	}
	a := Advice{
		Version: f.Version, Mode: s.mode, ModeWhy: s.modeWhy, Memory: f.memory, MemorySource: f.memorySource,
		Connections: f.Connections, Workload: f.Workload, Observed: s.moved,
	}
	a.adviseDatabases(&s)
	if err := a.adviseSettings(&s); err != nil {
		return Advice{}, err
	}
	budget, err := Plan(s.candidate())
	if err != nil {
		return Advice{}, err
	}
	a.Budget = withSystem(budget, f.memory)
	a.Also = also(&s)
	a.Warnings = append(a.Warnings, adviceWarnings(&s)...)
	return a, nil
}

// chosen returns the values for the first choice of architecture that fits in
// the memory.
func chosen(f facts) (sizing, error) {
	all := choices(f)
	for _, c := range all {
		if s := newSizing(f, c.mode); s.size() {
			s.modeWhy = c.why
			return s, nil
		}
	}
	return sizing{}, infeasible(f, all)
}

// adviseDatabases writes the advice about named databases, keeping present
// caches that are near the sized ones.
func (a *Advice) adviseDatabases(s *sizing) {
	for i, given := range s.Databases {
		d := &s.databases[i]
		why, changed := whyCache(s, *d), s.inBlocks() && d.Pages != given.Pages
		if changed && near(int64(given.Pages), int64(d.Pages)) {
			sized := d.Pages
			d.Pages = given.Pages
			changed = !s.fits()
			if changed {
				d.Pages = sized
			}
			s.threshold = s.aboveCache()
		}
		a.Databases = append(a.Databases, DatabaseAdvice{
			Name: d.Name, Path: d.Path, PageSize: d.PageSize, Pages: d.Pages, Current: given.Pages, Why: why, Changed: changed,
		})
	}
}

// adviseSettings writes the advice about each setting of the rules, keeping
// present values that are as good.
func (a *Advice) adviseSettings(s *sizing) error {
	for _, r := range rules() {
		setting, ok := Lookup(r.name)
		if !ok {
			return fmt.Errorf("advise: a rule is about %s, which is not in the catalogue", r.name)
		}
		def, ok := setting.Default(s.Version, s.mode)
		if !ok || r.only != nil && !r.only(s) {
			continue
		}
		rec := Recommendation{
			Name: r.name, Group: r.group, Value: r.value(s), Default: def,
			Current: def, CurrentSource: fromDefault, Why: r.why(s), Risk: r.risk,
		}
		current, set := s.current(r.name)
		if set {
			rec.Current, rec.CurrentSource = current.Value, current.Source
			a.keep(s, r, setting, &rec)
		}
		var err error
		if rec.Means, err = setting.Means(s.Version, s.mode, rec.Value); err != nil {
			return err
		}
		if rec.CurrentMeans, err = setting.Means(s.Version, s.mode, rec.Current); err != nil {
			rec.CurrentMeans = err.Error() // a present value may be one that cannot run
		}
		rec.Changed = !sameMeaning(rec)
		if r.stated != nil && r.stated(s) && !set {
			rec.Changed, rec.CurrentMeans = true, "not stated, which counts here"
		}
		a.Settings = append(a.Settings, rec)
	}
	return nil
}

// sameMeaning reports whether the engine does the same with both values.
func sameMeaning(rec Recommendation) bool {
	if rec.Name == ServerMode {
		return EngineMode(rec.Current) == EngineMode(rec.Value)
	}
	return rec.CurrentMeans == rec.Means
}

// current returns a setting's present value.
func (s *sizing) current(name string) (Current, bool) {
	for key, value := range s.Current {
		if strings.EqualFold(key, name) {
			return value, true
		}
	}
	return Current{}, false
}

// keep takes the present value of a setting when it is as good as the sized
// one and still fits, and warns of one that is not what it looks like.
func (a *Advice) keep(s *sizing, r rule, setting Setting, rec *Recommendation) {
	if r.good == nil {
		return
	}
	n, err := setting.Number(s.Version, s.mode, rec.Current)
	if err != nil {
		return // reported as what the present value means
	}
	if n != s.Version.dialect().Int(rec.Current) || s.Version.dialect().Int(rec.Current) == 0 && strings.Trim(rec.Current, " 0") != "" {
		means, _ := setting.Means(s.Version, s.mode, rec.Current) // Number accepted it
		a.Warnings = append(a.Warnings, fmt.Sprintf("%s = %s (%s) means %s to the engine; write %s", r.name, rec.Current, rec.CurrentSource, means, rec.Value))
	}
	if !r.good(s, n) {
		return
	}
	before := *s
	before.databases = slices.Clone(s.databases)
	r.adopt(s, n)
	if !s.fits() {
		*s = before
		return
	}
	if rec.Value != rec.Current {
		rec.Why = fmt.Sprintf("kept, being as good as %s: %s", rec.Value, rec.Why)
	}
	rec.Value = rec.Current
}

// withSystem adds to a budget what is left to the operating system.
func withSystem(b Budget, memory Bytes) Budget {
	kept := system(memory)
	b.Lines = append(b.Lines, Line{
		Name: memorySystem, Now: kept, Expected: kept, Worst: kept,
		Formula: fmt.Sprintf("the larger of %s and %g %% of %s; its file cache takes what else is free", leastSystem, systemPart*100, memory),
	})
	b.Total.Now = plus(b.Total.Now, kept)
	b.Total.Expected = plus(b.Total.Expected, kept)
	b.Total.Worst = plus(b.Total.Worst, kept)
	b.Total.Formula = fmt.Sprintf("sum of the %d lines, within %s", len(b.Lines), memory)
	return b
}
