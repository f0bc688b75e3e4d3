package confgen

import (
	"fmt"
	"strings"
)

// Candidate is a configuration and the load it is to carry.
type Candidate struct {
	Version     Version
	Mode        Mode              // empty: the ServerMode in Settings, else Super
	Settings    map[string]string // as written in firebird.conf; what is absent has its default
	Connections int
	Sorters     int        // connections that may sort at the same time; 0 is all of them
	Databases   []Database // open at the same time; none stands for one of the default page size
}

// Database is a database that the server holds.
type Database struct {
	Name     string `json:"name"`      // its alias
	Path     string `json:"path"`      // absolute
	Size     Bytes  `json:"size"`      // of its file; 0 is unknown
	PageSize Bytes  `json:"page_size"` // 0 is the version's default

	// Pages is DefaultDbCachePages of the database's own block, or the page
	// buffers in its header, which override the server's; 0 is neither.
	Pages Pages `json:"pages,omitempty"`
}

// mode returns the architecture the candidate runs with.
func (c Candidate) mode() Mode {
	if c.Mode != "" {
		return c.Mode
	}
	return EngineMode(c.Settings[ServerMode])
}

// databases returns the candidate's databases with their page sizes filled in.
func (c Candidate) databases() []Database {
	if len(c.Databases) == 0 {
		return []Database{{Name: "a database", PageSize: DefaultPageSize(c.Version)}}
	}
	filled := make([]Database, len(c.Databases))
	for i, d := range c.Databases {
		if d.PageSize == 0 {
			d.PageSize = DefaultPageSize(c.Version)
		}
		filled[i] = d
	}
	return filled
}

// text returns a setting as written, or its default.
func (c Candidate) text(name string) (string, error) {
	for key, value := range c.Settings {
		if strings.EqualFold(key, name) {
			return value, nil
		}
	}
	def, ok := Default(name, c.Version, c.mode())
	if !ok {
		return "", fmt.Errorf("read %s: Firebird %s does not know it; remove it", name, c.Version)
	}
	return def, nil
}

// number returns a setting as the engine takes it, but never less than the
// number that was written: where the engine keeps 32 bits of a number
// the budget is about what was asked for, not about what an overflow left.
func (c Candidate) number(name string) (int64, error) {
	s, ok := Lookup(name)
	if !ok {
		return 0, fmt.Errorf("read %s: not in the catalogue of settings; check its name", name)
	}
	text, err := c.text(name)
	if err != nil {
		return 0, err
	}
	n, err := s.Number(c.Version, c.mode(), text)
	if err != nil {
		return 0, err
	}
	asked := c.Version.dialect().Int(text)
	if era, _ := s.In(c.Version); era.overflows(asked) {
		return max(n, asked), nil
	}
	return n, nil
}

// SameSettings reports whether the engine of a version does the same with two
// sets of settings, what they do not set being at its default.
func SameSettings(v Version, a, b map[string]string) bool {
	x, y := Candidate{Version: v, Settings: a}, Candidate{Version: v, Settings: b}
	for _, row := range Known(v) {
		if row.Name == ServerMode {
			continue // by mode, below
		}
		left, errLeft := x.means(row)
		right, errRight := y.means(row)
		if left != right || (errLeft == nil) != (errRight == nil) {
			return false
		}
	}
	return x.mode() == y.mode()
}

// means returns what the engine makes of a setting of the candidate.
func (c Candidate) means(row Setting) (string, error) {
	text, err := c.text(row.Name)
	if err != nil {
		return "", err
	}
	return row.Means(c.Version, c.mode(), text)
}
