package check

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

// TestStock finds nothing but notes in files like those Firebird comes with:
// every setting of a version, commented out with its default.
func TestStock(t *testing.T) {
	for _, v := range confgen.Lines() {
		conf, databases := stock(v)
		f := files{version: v.String(), conf: conf, databases: databases}
		for _, found := range Run(f.input(t)) {
			t.Errorf("%s: %+v", v, found)
		}
		guess, why, sure := confgen.GuessVersion([]byte(conf))
		if guess != v || !sure {
			t.Errorf("stock of %s is taken for %s (%s)", v, guess, why)
		}
	}
}

// stock writes files like those Firebird comes with.
func stock(v confgen.Version) (conf, databases string) {
	var b strings.Builder
	fmt.Fprintf(&b, "########\n#\n# Firebird version %s configuration file\n#\n", v)
	for _, s := range confgen.Known(v) {
		def, _ := s.Default(v, confgen.Super)
		fmt.Fprintf(&b, "# ----\n# %s\n#\n# Type: %s\n#\n#%s = %s\n", s.Effect, s.Type, s.Name, def)
	}
	if v.Major == 2 {
		return b.String(), "# List of aliases\nemployee.fdb = /usr/share/firebird/employee.fdb\n"
	}
	return b.String(), fmt.Sprintf("employee = $(dir_sampleDb)/employee.fdb\nsecurity.db = $(dir_secDb)/security%d.fdb\n{\n\tRemoteAccess = false\n\tDefaultDbCachePages = %d\n}\n",
		v.Major, confgen.SecurityCachePages(v))
}

// realFiles is a directory of other people's files, which are not part of this
// project: go test -args -files DIR.
var realFiles = flag.String("files", "", "a directory of configuration files that Run must survive")

// TestSurvives runs every rule over texts made of the parts that trip parsers,
// for every version, and over real files where they were given.
func TestSurvives(t *testing.T) {
	parts := []string{"", "=", "a", "a =", "= b", "{", "}", "#", "\"", "include x", "$(root)", "\x00", "\xff\xfe", "\xef\xbb\xbf", "ServerMode = ", "LockMemSize = 99999999999999999999", "DefaultDbCachePages = -", "a = /a.fdb\n{", "LockHashSlots = 0\nLockHashSlots = 0"}
	texts := slices.Clone(parts)
	for i, a := range parts {
		for j := range 4 { // each part before and after some of the others
			texts = append(texts, a+"\n"+parts[(i+5*j+1)%len(parts)]+"\n")
		}
	}
	if *realFiles != "" {
		entries, err := os.ReadDir(*realFiles)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			content, err := os.ReadFile(*realFiles + "/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, string(content))
		}
	}
	for _, v := range confgen.Lines() {
		for _, text := range texts {
			for _, f := range []files{{version: v.String(), conf: text}, {version: v.String(), conf: "-", databases: text}, {version: v.String(), conf: text, databases: text, windows: true}} {
				for _, found := range Run(f.input(t)) {
					if found.Rule == "" || found.Severity == "" || found.EngineDoes == "" || found.Instead == "" {
						t.Fatalf("%s %q: a finding with gaps: %+v", v, text, found)
					}
				}
			}
		}
	}
}
