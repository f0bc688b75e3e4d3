package main

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
)

func TestVersionJSON(t *testing.T) { valid(t, "version", capture(t, "version", "--json")) }

// README and fbtune version tell the same facts.
func TestProofsAreInREADME(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "## Where it works\n")
	section, _, _ = strings.Cut(section, "\n## ")
	rows := 0
	for line := range strings.Lines(section) {
		if strings.HasPrefix(line, "| ") {
			rows++
		}
	}
	proofs := firebird.Proofs()
	if want := len(proofs) + 1; rows != want {
		t.Errorf("README has a table of %d rows, want %d with its head", rows, want)
	}
	for _, p := range proofs {
		if row := fmt.Sprintf("| %s | %s | %s | %s |\n", p.Firebird, p.System, p.Works, p.Proof); !strings.Contains(section, row) {
			t.Errorf("README lacks the row\n%s", row)
		}
	}
}
