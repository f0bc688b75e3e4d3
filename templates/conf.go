package templates

import "embed"

// Conf holds the templates of firebird.conf and databases.conf, which package
// confgen fills in.
//
//go:embed conf/*.tmpl
var Conf embed.FS
