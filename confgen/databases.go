package confgen

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// aliasName is what fbtune writes as an alias: nothing that databases.conf, a
// connection string or a shell takes for something else.
var aliasName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.\-]*$`)

// absolute matches the start of an absolute path, on POSIX or Windows.
var absolute = regexp.MustCompile(`^(/|[A-Za-z]:[\\/]|\\\\)`)

// securityAlias is the alias of the security database, which databases.conf
// always holds.
const securityAlias = "security.db"

// checkDatabases fills in page sizes and aliases, and refuses what would end a
// server: a duplicate alias or a second block for one file makes every attach
// fail (cases 57 and 14), a brace or a macro in a path breaks the file.
func checkDatabases(in []Database, v Version) ([]Database, error) {
	checked := make([]Database, 0, len(in))
	names, paths := map[string]bool{securityAlias: true}, map[string]bool{}
	for _, d := range in {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("database %s=%s: %s", d.Name, d.Path, fmt.Sprintf(format, args...))
		}
		if d.PageSize == 0 {
			d.PageSize = DefaultPageSize(v)
		}
		if d.Name == "" {
			base := path.Base(strings.ReplaceAll(d.Path, `\`, "/"))
			d.Name = strings.TrimSuffix(base, path.Ext(base))
		}
		if err := CheckPageSize(d.PageSize, v); err != nil {
			return nil, fail("%v", err)
		}
		switch {
		case d.Size < 0 || d.Size > PiB:
			return nil, fail("a size of %d bytes; give one such as 20G", d.Size)
		case d.Pages < 0 || d.Pages > maxPages:
			return nil, fail("%d page buffers; give 0 to %d", d.Pages, maxPages)
		case !aliasName.MatchString(d.Name):
			return nil, fail("the alias may hold letters, digits, _ . and - only; give another NAME")
		case !absolute.MatchString(d.Path):
			return nil, fail("databases.conf needs an absolute path; write it in full")
		case strings.ContainsAny(d.Path, "\"{}\r\n\x00") || strings.Contains(d.Path, "$("):
			return nil, fail("databases.conf cannot hold a path with quotes, braces, line ends or $(; rename it")
		// The engine compares aliases by case only where the file system does.
		case names[strings.ToLower(d.Name)]:
			return nil, fail("the alias is taken, which would make every attach fail; give another NAME")
		case paths[d.Path]:
			return nil, fail("the file is named twice, which would make every attach fail; name it once")
		}
		names[strings.ToLower(d.Name)], paths[d.Path] = true, true
		checked = append(checked, d)
	}
	return checked, nil
}
