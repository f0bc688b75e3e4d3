package document

import (
	"bytes"
	"encoding/json"
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/report"
	"github.com/fbtune/fbtune/tuner"
)

// recorded returns what a recorded study adds up to. At most limit of its trials
// count; less than all make it an unfinished one.
func recorded(t *testing.T, kind string, limit int) *tuner.Progress {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", kind+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Plan        json.RawMessage
		Environment tuner.Environment
		Trials      []tuner.Trial
	}
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	p := &tuner.Progress{Environment: file.Environment, Trials: file.Trials, Ended: true}
	var plan any = &p.Plan
	if kind == "tune" {
		plan = &p.Tuning
	}
	if err := json.Unmarshal(file.Plan, plan); err != nil {
		t.Fatal(err)
	}
	if limit < len(p.Trials) {
		p.Trials, p.Cause = p.Trials[:limit], "not finished"
	}
	return p
}

const all = 1 << 20 // trials

// text returns what a view writes.
func text(t *testing.T, view func(*bytes.Buffer) error) string {
	t.Helper()
	var b bytes.Buffer
	if err := view(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormatsAgree(t *testing.T) {
	for _, kind := range []string{"tune", "sweep"} {
		p := recorded(t, kind, all)
		d, err := New("demo", p)
		if err != nil {
			t.Fatal(err)
		}
		page := html.UnescapeString(text(t, func(b *bytes.Buffer) error { return d.HTML(b) }))
		md := text(t, func(b *bytes.Buffer) error { return d.Markdown(b) })
		terminal := text(t, func(b *bytes.Buffer) error {
			if kind == "sweep" {
				return report.Sweep(b, p.Result())
			}
			o, err := p.Outcome()
			if err != nil {
				return err
			}
			return report.Tune(b, o, "demo", "")
		})
		for _, row := range d.Sections[0].Grid.Rows {
			for _, cell := range row {
				if !strings.Contains(terminal, cell) || !strings.Contains(page, "<td>"+cell+"</td>") || !strings.Contains(md, "| "+markdown.Replace(cell)+" |") {
					t.Errorf("%s: %q is not in every format", kind, cell)
				}
			}
		}
	}
}

func TestUnfinishedSaysSo(t *testing.T) {
	for _, kind := range []string{"tune", "sweep"} {
		for _, trials := range []int{0, 1, 20} {
			d, err := New("demo", recorded(t, kind, trials))
			if err != nil {
				t.Fatal(err)
			}
			page := text(t, func(b *bytes.Buffer) error { return d.HTML(b) })
			if !strings.Contains(page, "not finished") {
				t.Errorf("%s of %d trials does not say that it is not finished", kind, trials)
			}
		}
	}
}
