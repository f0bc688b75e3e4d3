package confgen

import (
	"fmt"
	"strings"
)

// Mode is the architecture of a server, as ServerMode spells it.
type Mode string

// The three architectures. The empty Mode stands for "choose one".
const (
	Super        Mode = "Super"        // one process, one shared page cache per database
	SuperClassic Mode = "SuperClassic" // one process, a page cache per connection
	Classic      Mode = "Classic"      // a process and a page cache per connection
)

// modeNames holds every word the engine accepts for ServerMode
// (src/common/config/config.cpp, getServerMode).
var modeNames = [...]struct {
	name string
	mode Mode
}{
	{"Super", Super}, {"ThreadedDedicated", Super},
	{"SuperClassic", SuperClassic}, {"ThreadedShared", SuperClassic},
	{"Classic", Classic}, {"MultiProcess", Classic},
}

// Modes returns the three architectures.
func Modes() []Mode { return []Mode{Super, SuperClassic, Classic} }

// ParseMode reads a word the engine accepts for ServerMode, in any case. The
// engine itself silently takes every other word for Super; a person is told.
func ParseMode(text string) (Mode, error) {
	for _, m := range modeNames {
		if strings.EqualFold(text, m.name) {
			return m.mode, nil
		}
	}
	return "", fmt.Errorf("parse ServerMode %q: write Super, SuperClassic or Classic (the engine would silently take Super)", text)
}

// EngineMode returns the architecture the engine runs with for a ServerMode of
// text: Super for every word it does not know.
func EngineMode(text string) Mode {
	mode, err := ParseMode(text)
	if err != nil {
		return Super
	}
	return mode
}
