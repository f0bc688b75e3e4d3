package report

import (
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// What was read of a database stands above the findings, in words.
func TestCheckedShowsHeaders(t *testing.T) {
	h := dbheader.Header{ODS: dbheader.ODS{Major: 12, Minor: 2}, PageSize: 8192, PageBuffers: 500, SweepInterval: 20000,
		Transactions: dbheader.Transactions{Oldest: 1, OldestActive: 2, OldestSnapshot: 3, Next: 4}}
	c := CheckedFile{Conf: "firebird.conf", DatabaseFiles: []CheckedDatabase{{Name: "erp", Path: "/data/erp.fdb", Header: h}, {Path: "/data/b.fdb"}},
		Findings: []check.Finding{{Severity: check.Warning, Rule: "header-buffers", File: "/data/erp.fdb", Name: "erp", Written: "page buffers 500", EngineDoes: "keeps 500 pages", Instead: "run gfix"}}}
	var b strings.Builder
	if err := Checked(&b, []CheckedFile{c}, false); err != nil {
		t.Fatal(err)
	}
	text := strings.Join(strings.Fields(b.String()), " ")
	for _, want := range []string{
		"erp /data/erp.fdb: ODS 12.2, pages of 8 KiB, page buffers 500 in the header, forced writes off, sweep interval 20000; transactions: oldest 1, oldest active 2, oldest snapshot 3, next 4",
		"/data/b.fdb: ODS 0.0, pages of 0 B, no page buffers in the header",
		"WARNING: /data/erp.fdb [header-buffers] erp = page buffers 500 the engine keeps 500 pages instead: run gfix",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if strings.Contains(text, " clean") {
		t.Error("findings, and yet clean")
	}
}
