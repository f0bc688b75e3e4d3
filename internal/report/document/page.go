package document

import (
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/fbtune/fbtune/templates"
	"github.com/fbtune/fbtune/tuner"
)

// page is the template of the report.
var page = template.Must(template.New("report").Funcs(template.FuncMap{"svg": inline}).Parse(templates.Report))

// inline returns a chart as markup of the page.
func inline(c *Chart) (template.HTML, error) {
	var b strings.Builder
	err := c.SVG(&b)
	return template.HTML(b.String()), err //nolint:gosec // SVG escapes its words
}

// HTML writes the report as one page that needs no other file and no script. The
// trials are in it as data, raw series included.
func (d Document) HTML(w io.Writer) error {
	data := struct {
		Study       string            `json:"study"`
		Environment tuner.Environment `json:"environment"`
		Trials      []tuner.Trial     `json:"trials"`
	}{d.Study, d.Environment, d.Trials}
	if err := page.Execute(w, struct {
		Document
		Data any
	}{d, data}); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}
