package templates

import _ "embed"

// Report is the page of a report, for html/template.
//
//go:embed report/page.html
var Report string
