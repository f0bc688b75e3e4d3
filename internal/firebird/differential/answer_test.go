package differential

import (
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// fate is what becomes of an attachment.
type fate string

const (
	works   fate = "works"
	refuses fate = "is refused"        // the engine finds fault with a file, and says so
	dies    fate = "crashes"           // by a signal
	broken  fate = "cannot attach"     // over a number that no database can be opened with
	nowhere fate = "finds no database" // the name leads to none
	capped  fate = "is killed by the memory cap"
	hangs   fate = "does not end"
)

// answer is what an engine made of an input, or what fbtune says it makes.
type answer struct {
	fate     fate
	words    string             // the engine's own, unless it works
	path     string             // of the database attached to, without links; "" when the engine does not know it
	pages    int64              // MON$PAGE_BUFFERS
	settings map[string]setting // RDB$CONFIG by name; nil where it cannot be read
}

// setting is a row of RDB$CONFIG.
type setting struct {
	value  string
	set    bool
	source string // the file, or "" for one that is not set
}

// anySource stands for the file of a setting that an included file gives: the
// engine names the file that includes it.
const anySource = "*"

// faultyFile are the SQLSTATEs of a file that the engine finds fault with.
var faultyFile = []string{"XX000", "08004"}

// leadsNowhere begins what the engine says of a name that leads to no database.
var leadsNowhere = regexp.MustCompile(`^(I/O error during ".*" operation for file|file .* is not a valid database|Unable to complete network request to host)`)

// noTable begins what the engine says when it cannot fill RDB$CONFIG; see
// [engine.foretellTable].
var noTable = regexp.MustCompile(`^(Malformed string|String truncated|No free space found in temporary directories)`)

// script asks an engine for an answer. Values go through hexadecimal, for they
// hold any byte. RDB$CONFIG has no value for WireCrypt as long as it is not set.
func script(configTable bool) string {
	text := "set list on;\nselect mon$page_buffers as pages, mon$database_name as path from mon$database;\n"
	if configTable {
		text += "select trim(rdb$config_name) || ' ' || rdb$config_is_set || ' ' || " +
			"hex_encode(cast(coalesce(rdb$config_value, rdb$config_default, '') as varbinary(255))) || ' ' || " +
			"hex_encode(cast(coalesce(rdb$config_source, '') as varbinary(255))) as setting from rdb$config;\n"
	}
	return text
}

// parseAnswer reads what isql printed for a script.
func parseAnswer(out string, status int) (answer, error) {
	a := answer{fate: works}
	for line := range strings.Lines(out) {
		name, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		rest = strings.TrimLeft(rest, " ")
		var err error
		switch name {
		case "PAGES":
			a.pages, err = strconv.ParseInt(strings.TrimRight(rest, " "), 10, 64)
		case "PATH":
			if a.path = rest; rest == "<null>" { // of an alias without a path
				a.path = ""
			} else if real, err := filepath.EvalSymlinks(rest); err == nil {
				a.path = real
			}
		case "SETTING":
			err = a.parseSetting(rest)
		}
		if err != nil {
			return answer{}, fmt.Errorf("read isql's %s: %w", name, err)
		}
	}
	if status == 0 {
		return a, nil
	}
	_, failure, failed := strings.Cut(out, "Statement failed, SQLSTATE = ")
	state, words, _ := strings.Cut(failure, "\n")
	a.words = strings.TrimSuffix(words, "\n")
	switch {
	case !failed:
		return answer{}, fmt.Errorf("isql ended with status %d and printed %q", status, out)
	case a.pages != 0 && noTable.MatchString(a.words):
		a.settings = nil // attached all the same
	case slices.Contains(faultyFile, state):
		a.fate = refuses
	case leadsNowhere.MatchString(a.words):
		a.fate = nowhere
	default:
		a.fate = broken
	}
	return a, nil
}

func (a *answer) parseSetting(row string) error {
	fields := strings.Split(row, " ")
	if len(fields) < 4 {
		return fmt.Errorf("%q has no 4 columns", row)
	}
	value, err := hex.DecodeString(fields[2])
	if err != nil {
		return err
	}
	source, err := hex.DecodeString(fields[3])
	if err != nil {
		return err
	}
	if a.settings == nil {
		a.settings = map[string]setting{}
	}
	a.settings[fields[0]] = setting{string(value), fields[1] == "TRUE", string(source)}
	return nil
}

// differences lists where the engine's answer is not the one foretold.
func differences(foretold, engine answer) []string {
	if foretold.fate == broken && engine.fate == dies { // the same to a user
		return nil
	}
	if foretold.fate != engine.fate {
		return []string{fmt.Sprintf("fbtune: it %s %q; the engine %s %q", foretold.fate, foretold.words, engine.fate, engine.words)}
	}
	var all []string
	differ := func(what string, foretold, engine any) {
		if foretold != engine {
			all = append(all, fmt.Sprintf("%s: fbtune %#v, the engine %#v", what, foretold, engine))
		}
	}
	switch foretold.fate {
	case refuses:
		differ("words", foretold.words, engine.words)
	case works:
		if engine.path != "" {
			differ("database", foretold.path, engine.path)
		}
		differ("MON$PAGE_BUFFERS", foretold.pages, engine.pages)
		differ("RDB$CONFIG can be read", foretold.settings != nil, engine.settings != nil)
		if foretold.settings == nil || engine.settings == nil {
			break
		}
		differ("settings known", len(foretold.settings), len(engine.settings))
		for _, name := range slices.Sorted(maps.Keys(engine.settings)) {
			want, got := foretold.settings[name], engine.settings[name]
			if want.source == anySource {
				got.source = anySource
			}
			differ(name, want, got)
		}
	}
	return all
}
