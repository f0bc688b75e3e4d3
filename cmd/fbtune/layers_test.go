package main

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"strings"
	"testing"
)

// ranks orders the packages: imports go from a higher rank to a lower one, or
// stay below the same folder. The longest matching folder counts.
var ranks = map[string]int{
	"internal/dist":     0,
	"templates":         0,
	"probe":             1,
	"workload":          1,
	"internal/fbconf":   1,
	"confgen":           2,
	"confgen/check":     3,
	"internal/firebird": 3,
	"tuner":             4,
	"internal/apply":    4,
	"internal/health":   4,
	"internal/report":   5,
	"internal/tui":      6,
	"cmd":               7,
}

// folder returns the folder of ranks that a package is in, and "" for none.
func folder(pkg string) string {
	longest := ""
	for f := range ranks {
		if (pkg == f || strings.HasPrefix(pkg, f+"/")) && len(f) > len(longest) {
			longest = f
		}
	}
	return longest
}

func TestImportsGoDownward(t *testing.T) {
	const module = "github.com/fbtune/fbtune/"
	cmd := exec.CommandContext(t.Context(), "go", "list", "-json=ImportPath,Imports", "../../...")
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		err := decoder.Decode(&pkg)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		seen++
		from := folder(strings.TrimPrefix(pkg.ImportPath, module))
		if from == "" {
			t.Errorf("%s has no rank: say where it belongs", pkg.ImportPath)
			continue
		}
		for _, imported := range pkg.Imports {
			name, ours := strings.CutPrefix(imported, module)
			if !ours {
				continue
			}
			if to := folder(name); to != from && ranks[to] >= ranks[from] {
				t.Errorf("%s imports %s: imports go downward only", pkg.ImportPath, imported)
			}
		}
	}
	if seen < 10 {
		t.Errorf("only %d packages seen", seen)
	}
}
