package firebird_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// notIncluded matches the path of a file that the engine wanted to include.
var notIncluded = regexp.MustCompile(`Invalid include operator in \S+ for <(.*)/absent\.conf>`)

// Macros stand for what the engine takes them for, which it says when a file to
// include is not there.
func TestDirs(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		root := filepath.Join(firebirdtest.New(t, inst, firebirdtest.Cap).Dir(), "root")
		locks := firebirdtest.Dir(t)
		dirs := inst.Dirs(root)
		for macro, want := range map[string]string{
			"root": dirs.Root, "install": dirs.Install, "dir_conf": dirs.Conf, "dir_secDb": dirs.SecDB, "dir_plugins": dirs.Plugins, "dir_udf": dirs.UDF,
			"dir_sample": dirs.Sample, "DIR_SAMPLEDB": dirs.SampleDB, "dir_intl": dirs.Intl, "dir_msg": dirs.Msg,
		} {
			line := fmt.Sprintf("include $(%s)/absent.conf\n", macro)
			path := filepath.Join(root, "databases.conf")
			if err := os.WriteFile(path, []byte(line), 0o644); err != nil {
				t.Fatal(err)
			}
			argv := inst.Command(inst.Isql(), "-quiet", "absent.fdb")
			isql := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
			isql.Env = []string{"FIREBIRD=" + root, "FIREBIRD_LOCK=" + locks, "FIREBIRD_TMP=" + locks, "LANG=C"}
			out, _ := isql.CombinedOutput() // it fails, and says why
			match := notIncluded.FindStringSubmatch(string(out))
			if match == nil || match[1] != want {
				t.Errorf("$(%s) is %q, want what the engine says: %s", macro, want, out)
			}
			parsed := fbconf.Parse([]byte("X = $("+macro+")/y"), fbconf.Options{Dirs: dirs})
			if s, ok := parsed.Lookup("X"); !ok || match != nil && s.Value != match[1]+"/y" {
				t.Errorf("$(%s)/y is read as %q", macro, s.Value)
			}
		}
	})
}

// With its own root an installation's files, plugins and log lie where its
// package put them.
func TestOwnDirs(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		dirs := inst.Dirs("")
		for _, path := range []string{filepath.Join(dirs.Conf, "firebird.conf"), dirs.Plugins, dirs.Intl} {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
		if dirs.Root != inst.Base() || dirs.Root != dirs.Conf {
			t.Errorf("%+v, want the root %s", dirs, inst.Base())
		}
		if filepath.Ext(inst.Log()) != ".log" || !filepath.IsAbs(inst.Log()) {
			t.Errorf("log %s", inst.Log())
		}
	})
}
