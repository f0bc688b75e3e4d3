package firebird_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// relaid lays the machine's Firebird out as an official build is: programs in
// bin, all else in the root.
func relaid(t *testing.T) firebird.Installation {
	t.Helper()
	from := firebirdtest.Installation(t)
	root := filepath.Join(firebirdtest.Dir(t), "Firebird-5.9-linux-x64")
	if err := os.MkdirAll(filepath.Join(root, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"bin/firebird": from.Server, "bin/isql": from.Isql(), "bin/fb_lock_print": from.LockPrint(),
		"firebird.conf": from.FirebirdConf, "databases.conf": from.DatabasesConf, "plugins.conf": from.PluginsConf(),
		"firebird.msg": filepath.Join(from.Dirs("").Msg, "firebird.msg"),
	} {
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, name), content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{"plugins", "intl"} {
		if err := os.CopyFS(filepath.Join(root, dir), os.DirFS(filepath.Join(from.Base(), dir))); err != nil {
			t.Fatal(err)
		}
	}
	inst, err := firebird.At(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	return inst
}

// A tree as official builds have it runs in every architecture.
func TestOfficialLayoutRuns(t *testing.T) {
	inst := relaid(t)
	if inst.Kind != "official build" || inst.Build != firebirdtest.Installation(t).Build {
		t.Fatalf("laid out: %+v", inst)
	}
	s := firebirdtest.New(t, inst, firebirdtest.Cap)
	path := firebirdtest.Database(t, s, 8192)
	for _, mode := range confgen.Modes() {
		settings := map[string]string{confgen.ServerMode: string(mode), confgen.DefaultDbCachePages: "600"}
		if err := s.Start(t.Context(), private.Config{Settings: settings, Database: path}); err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		list, err := s.Effective(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", mode, err)
		}
		if wrong := running.Contradictions(list); len(wrong) > 0 || len(s.Processes()) == 0 {
			t.Errorf("%s: processes %v, %+v", mode, s.Processes(), wrong)
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}
