package differential

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// input is one question to an engine: a text in one of the two files, while the
// other is empty, and the name that is attached to.
type input struct {
	kind   fbconf.Kind
	text   string
	attach string // an alias or a path
}

// Texts and names are written with the names that the golden probes use for
// paths, so that they are the same on every machine and in every report:
//
//	$ROOT     the directory of firebird.conf
//	$DB       a database
//	$OTHERDB  another one
//	$INC      $ROOT/inc.conf, one of the files of [engine.lay]
const database = "$DB"

// conf is an input in firebird.conf.
func conf(text string) input {
	return input{kind: fbconf.FirebirdConf, text: text, attach: database}
}

// databases is an input in databases.conf.
func databases(text, attach string) input {
	return input{kind: fbconf.DatabasesConf, text: text, attach: attach}
}

// String shows the input as a Go programmer would write it.
func (i input) String() string { return fmt.Sprintf("%s %q, attached to %s", i.kind, i.text, i.attach) }

// with is the input with other text.
func (i input) with(text string) input {
	i.text = text
	return i
}

// expanded is the input with real paths.
func (i input) expanded(paths *strings.Replacer) input {
	i.text, i.attach = paths.Replace(i.text), paths.Replace(i.attach)
	return i
}

// readProbes returns the golden probes of fbconf as inputs. Where the recording
// cut a text off, the probe is what it has.
func readProbes(t testing.TB) []input {
	t.Helper()
	content, err := os.ReadFile("../../fbconf/testdata/parser-probes-firebird-4.0.5.tsv")
	if err != nil {
		t.Fatal(err)
	}
	var probes []input
	for i, row := range strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")[1:] {
		columns := strings.Split(row, "\t")
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(strings.TrimSuffix(columns[2], "..."), `"`, `\"`) + `"`)
		if err != nil {
			t.Fatalf("probe %d: %v", i+1, err)
		}
		if name, attach, block := strings.Cut(columns[0], "@"); block {
			probes = append(probes, databases(text, attach))
		} else if name == "firebird.conf" {
			probes = append(probes, conf(text))
		}
	}
	if len(probes) < 100 {
		t.Fatalf("only %d probes", len(probes))
	}
	return probes
}
