package fbconf

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
)

func includeFiles(depth int) fstest.MapFS {
	files := fstest.MapFS{
		"c/a.conf":       {Data: []byte("A = 1\n")},
		"c/b.conf":       {Data: []byte("A = 2\ninclude a.conf\n")},
		"c/.hidden.conf": {Data: []byte("A = 3\n")},
		"c/bad.inc":      {Data: []byte("A = 1\nB = \"\n")},
		"c/self.inc":     {Data: []byte("include self.inc\n")},
		"c/sub/x.cfg":    {Data: []byte("A = 4\nP = $(this)\n")},
		"c/sub2/x.cfg":   {Data: []byte("B = 5\n")},
		"c/sub2/up.cfg":  {Data: []byte("include ../a.conf\n")},
		"real/l.cfg":     {Data: []byte("A = 6\n")},
		"c/linked":       {Data: []byte("../real"), Mode: fs.ModeSymlink},
	}
	for i := range depth {
		files[fmt.Sprintf("c/chain%d", i)] = &fstest.MapFile{Data: fmt.Appendf(nil, "include chain%d\n", i+1)}
	}
	files[fmt.Sprintf("c/chain%d", depth)] = &fstest.MapFile{Data: []byte("A = 9\n")}
	return files
}

func TestInclude(t *testing.T) {
	const missing = "!Invalid include operator in /c/firebird.conf for <%s>\n-File to include not found"
	tests := []struct {
		target, versions, want string
	}{
		{"a.conf", "3.0 4.0 5.0", "A=1@1"},
		{"/c/a.conf", "3.0 4.0 5.0", "A=1@1"},
		{"$(this)/a.conf", "3.0 5.0", "A=1@1"},
		{"b.conf", "3.0 5.0", "A=2@1"},
		{"nope.conf", "3.0 5.0", missing},
		{"nope*", "3.0 5.0", ""},
		{"?.conf", "3.0 5.0", ""}, // "?" is no wildcard outside Windows, and no error
		{"\"a.conf\"", "3.0 5.0", missing},
		{"a.conf # c", "3.0 5.0", missing},
		{"A.conf", "3.0 5.0", missing},
		{"*.conf", "3.0", "A=1@1"},
		{"*.conf", "4.0", "A=3@1"}, // hidden names match since 4.0
		{"sub/*", "3.0 5.0", "A=4@1 P=/c/sub@2"},
		{"sub*/x.cfg", "4.0 5.0", "A=4@1 P=/c/sub@2 B=5@1"},
		{"sub*/x.cfg", "3.0", "A=4@1 P=/c/sub@2"}, // one directory only
		{"sub", "3.0 5.0", ""},                    // a directory opens and is empty
		{"sub/", "3.0 5.0", missing},
		{"sub/..", "3.0", ""}, // a directory too
		{"sub/..", "4.0", missing},
		{"sub/../a.conf", "3.0 4.0", "A=1@1"},
		{".*", "3.0", "A=3@1"},
		{"sub/.*/a.conf", "3.0", "A=1@1"}, // by way of ".."
		{"sub/.*/a.conf", "4.0", ""},
		{"sub2/up.cfg", "3.0 5.0", "A=1@1"},
		{`sub\x.cfg`, "3.0 5.0", missing},
		{"./a.conf", "3.0", missing},
		{"./a.conf", "4.0", "A=1@1"},
		{"sub//x.cfg", "3.0", missing},
		{"sub//x.cfg", "4.0", "A=4@1 P=/c/sub@2"},
		{"/c/sub/../a.conf", "3.0", "A=1@1"},
		{"/c/sub/../a.conf", "4.0", missing},
		{"linked/l.cfg", "3.0", "A=6@1"},
		{"linked/l.cfg", "4.0", missing}, // a link is not a directory
		{"bad.inc", "3.0 5.0", "!/c/bad.inc: illegal line <B = \">"},
		{"self.inc", "3.0 5.0", "!Invalid include operator in /c/self.inc for <self.inc>\n-Include depth too big"},
		{"/", "3.0", "!segmentation fault: include without a file name"},
		{"\x00a", "3.0", "!segmentation fault: include without a file name"},
		{"chain1", "3.0 5.0", "A=9@1"}, // 64 deep
		{"chain0", "3.0 5.0", "!Invalid include operator in /c/chain63 for <chain64>\n-Include depth too big"},
	}
	for _, tt := range tests {
		for version := range strings.FieldsSeq(tt.versions) {
			t.Run(tt.target+"/"+version, func(t *testing.T) {
				f := Parse([]byte("include "+tt.target+"\n"), Options{
					Name: "/c/firebird.conf", Dialect: mustDialect(t, version), Files: includeFiles(64)})
				got := inForce(f.Settings())
				if f.Fault() != nil {
					got = "!" + f.Fatal()
				}
				want := tt.want
				if want == missing {
					want = fmt.Sprintf(missing, tt.target)
				}
				if got != want {
					t.Errorf("got  %q\nwant %q", got, want)
				}
			})
		}
	}
}

// TestIncludeOfItself: databases.conf counts each file once since 4.0, so its
// own name is a file "not found"; before, it runs into the depth limit.
func TestIncludeOfItself(t *testing.T) {
	for version, want := range map[string]string{"3.0": "Include depth too big", "4.0": "File to include not found"} {
		f := Parse([]byte("include databases.conf\n"), Options{
			Name: "/c/databases.conf", Kind: DatabasesConf, Dialect: mustDialect(t, version),
			Files: fstest.MapFS{"c/databases.conf": {Data: []byte("include databases.conf\n")}}})
		if !strings.Contains(f.Fatal(), want) {
			t.Errorf("%s: fault %q, want %q", version, f.Fatal(), want)
		}
	}
}

// TestIncludeBudget: an include inside a block starts a new count of the depth,
// so a loop through a block never ends in the engine.
func TestIncludeBudget(t *testing.T) {
	loop := "a = /x\n{\ninclude databases.conf\n}\n"
	f := Parse([]byte(loop), Options{Name: "/c/databases.conf", Kind: DatabasesConf,
		Files: fstest.MapFS{"c/databases.conf": {Data: []byte(loop)}}})
	if f.Fault() == nil || f.Fault().Effect != ServerCrashes {
		t.Errorf("fault %+v", f.Fault())
	}
}

func TestIncludeWarnings(t *testing.T) {
	tests := []struct {
		target string
		files  fs.FS
		want   WarningKind
	}{
		{"a.conf", nil, IncludeUnread},
		{"$(root)/a.conf", includeFiles(0), IncludeUnread},
		{"?.conf", includeFiles(0), IncludeNothing},
		{"nope*", includeFiles(0), IncludeNothing},
		{"*.conf", includeFiles(0), IncludeOrder},
		{"sub*/x.cfg", includeFiles(0), IncludeOrder},
	}
	for _, tt := range tests {
		f := Parse([]byte("include "+tt.target+"\n"), Options{Name: "/c/firebird.conf", Dialect: mustDialect(t, "3.0"), Files: tt.files})
		if f.Fault() != nil || len(f.Warnings()) == 0 || f.Warnings()[0].Kind != tt.want {
			t.Errorf("%s: fault %q, warnings %v; want %s", tt.target, f.Fatal(), f.Warnings(), tt.want)
		}
	}
}

// TestThisFollowsLink: $(this) is the directory of the file a link leads to.
func TestThisFollowsLink(t *testing.T) {
	files := fstest.MapFS{"etc/firebird.conf": {Data: []byte("../opt/fb/firebird.conf"), Mode: fs.ModeSymlink}}
	f := Parse([]byte("A = $(this)/x\n"), Options{Name: "/etc/firebird.conf", Files: files})
	if got := inForce(f.Settings()); got != "A=/opt/fb/x@1" {
		t.Errorf("got %q", got)
	}
}

// TestHostFiles reads an include from the disk.
func TestHostFiles(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir()) // 4.0 does not follow links
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "inc.conf"), []byte("A = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := Parse([]byte("include inc.conf\n"), Options{
		Name:    filepath.Join(dir, "firebird.conf"),
		Dialect: Dialect{Major: 4, Windows: runtime.GOOS == "windows"},
		Files:   HostFiles(),
	})
	want := Place{File: filepath.Join(dir, "inc.conf"), Line: 1}
	if s, ok := f.Lookup("A"); !ok || s.Place != want {
		t.Errorf("got %+v, fault %q", s, f.Fatal())
	}
}

// TestIncludeOnWindows: both separators, names without case, "?" and drives.
func TestIncludeOnWindows(t *testing.T) {
	files := fstest.MapFS{
		"C:/fb/Inc1.conf":     {Data: []byte("A = 1\n")},
		"C:/fb/sub/inc2.conf": {Data: []byte("B = $(this)\n")},
	}
	for target, want := range map[string]string{
		"inc?.CONF":            "A=1@1",
		`sub\inc*.conf`:        `B=C:\fb\sub@1`,
		"C:/fb/sub/INC2.conf":  `B=C:\fb\sub@1`,
		`..\fb\sub/inc2.conf`:  `B=C:\fb\sub@1`,
		`C:\fb\sub\none?.conf`: "",
	} {
		f := Parse([]byte("include "+target+"\n"), Options{
			Name: `C:/fb/firebird.conf`, Dialect: Dialect{Major: 5, Windows: true}, Files: files})
		if got := inForce(f.Settings()); got != want || f.Fault() != nil {
			t.Errorf("%s: got %q, fault %q, want %q", target, got, f.Fatal(), want)
		}
	}
}
