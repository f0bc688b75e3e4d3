package fbconf_test

import (
	"fmt"

	"github.com/fbtune/fbtune/internal/fbconf"
)

func Example() {
	dialect, err := fbconf.ParseDialect("4.0.5")
	if err != nil {
		fmt.Println(err)
		return
	}
	f := fbconf.Parse([]byte("DefaultDbCachePages = 64MB # much\n#LockMemSize = 1M\nDefaultDbCachePages = 4096\n"),
		fbconf.Options{Name: "firebird.conf", Dialect: dialect})

	pages, _ := f.Lookup("DefaultDbCachePages")
	fmt.Printf("line %d: %q is %d\n", pages.Line, pages.Raw, pages.Int(dialect))
	for _, w := range f.Warnings() {
		fmt.Printf("line %d: %s\n", w.Line, w.Text)
	}

	for key, value := range map[string]string{"DefaultDbCachePages": "4096", "LockMemSize": "30M"} {
		if err := f.Set(key, value); err != nil {
			fmt.Println(err)
		}
	}
	fmt.Printf("%s", f.Bytes())
	// Output:
	// line 1: "64MB" is 0
	// line 3: DefaultDbCachePages has no effect here: the first line that gives it counts, firebird.conf:1; keep one
	// DefaultDbCachePages = 4096 # much
	// #LockMemSize = 1M
	// LockMemSize = 30M
	// DefaultDbCachePages = 4096
}
