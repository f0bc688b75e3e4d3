package apply

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

func TestLocate(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		got, err := Locate(t.Context(), inst.Root, "")
		if err != nil || got.FirebirdConf != inst.FirebirdConf || got.Installation.Build != inst.Build || len(got.Notes) != 0 {
			t.Errorf("the root: %+v, %v", got, err)
		}
		// A directory of links leads to the installation whose files they are.
		dir := t.TempDir()
		for _, path := range []string{inst.FirebirdConf, inst.DatabasesConf} {
			if err := os.Symlink(path, filepath.Join(dir, filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
		got, err = Locate(t.Context(), dir, inst.Root)
		if err != nil || got.FirebirdConf != filepath.Join(dir, firebirdConf) || got.Installation.Build != inst.Build || len(got.Notes) != 0 {
			t.Errorf("links to the files: %+v, %v", got, err)
		}
		rules, err := got.Rules()
		if err != nil || rules.Dirs != inst.Dirs("") || rules.Dirs.SecDB == "" || !strings.HasPrefix(inst.FullVersion(), rules.Version.String()) {
			t.Errorf("rules %+v, %v", rules, err)
		}
	})
	dir := t.TempDir()
	if got, err := Locate(t.Context(), dir, ""); err == nil || !strings.Contains(err.Error(), "no firebird.conf or databases.conf lies there") {
		t.Errorf("an empty directory: %+v, %v", got, err)
	}
	if err := os.WriteFile(filepath.Join(dir, firebirdConf), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := Locate(t.Context(), dir, "")
	if err != nil || got.Installation.Build == "" || len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "--firebird-root") {
		t.Errorf("a directory of its own: %+v, %v", got, err)
	}
	if _, err := Locate(t.Context(), dir, t.TempDir()); err == nil {
		t.Error("a server root without a server was taken")
	}
}

func TestFiles(t *testing.T) {
	target := Target{FirebirdConf: "/r/firebird.conf", DatabasesConf: "/r/databases.conf"}
	now := compare.Texts{Conf: []byte("old")}
	for _, test := range []struct {
		new  compare.Texts
		want []File
	}{
		{compare.Texts{Conf: []byte("new")}, []File{{Path: "/r/firebird.conf", Content: []byte("new"), Seen: []byte("old")}}},
		{compare.Texts{Databases: []byte("new")}, []File{
			{Path: "/r/firebird.conf", Content: []byte("old"), Seen: []byte("old")},
			{Path: "/r/databases.conf", Content: []byte("new")},
		}},
	} {
		got := target.Files(now, test.new.Over(now))
		if len(got) != len(test.want) {
			t.Errorf("files %+v, want %+v", got, test.want)
			continue
		}
		for i, f := range got {
			want := test.want[i]
			if f.Path != want.Path || string(f.Content) != string(want.Content) || string(f.Seen) != string(want.Seen) || (f.Seen == nil) != (want.Seen == nil) {
				t.Errorf("file %+v, want %+v", f, want)
			}
		}
	}
}
