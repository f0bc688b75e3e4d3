package trial_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/apply/trial"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// laidOut puts files into a directory of configuration.
func laidOut(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := firebirdtest.Dir(t)
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// try runs a trial of the files in a directory.
func try(t *testing.T, inst firebird.Installation, dir string, limit confgen.Bytes) trial.Trial {
	t.Helper()
	dialect, err := fbconf.ParseDialect(inst.FullVersion())
	if err != nil {
		t.Fatal(err)
	}
	rules := compare.Rules{Version: inst.Version, Dialect: dialect, Host: fbconf.HostFiles()}
	texts, err := rules.Find(dir)
	if err != nil {
		t.Fatal(err)
	}
	servers := firebirdtest.Dir(t)
	got, err := trial.Run(t.Context(), trial.Options{Installation: inst, Dir: servers, Cap: limit}, rules, texts)
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(servers); err != nil || len(left) > 0 {
		t.Errorf("the trial left %v (%v)", left, err)
	}
	return got
}

func TestAccepted(t *testing.T) {
	files := map[string]string{
		"firebird.conf": strings.Join([]string{
			"# tied to its server in every way",
			"ServerMode = SuperClassic",
			"RemoteServicePort = 3050 # the port in use",
			"RemoteBindAddress = 192.0.2.7",
			"SecurityDatabase = /nowhere/security.fdb",
			`TempDirectories = "/nowhere/a;/nowhere/b"`,
			"WireCrypt = Disabled",
			"AuthServer = Legacy_Auth",
			"RemoteAccess = false",
			"DatabaseAccess = None",
			"AuditTraceConfigFile = audit.conf",
			"include sub/more.conf",
			"DefaultDbCachePages = 300",
		}, "\n") + "\n",
		"sub/more.conf":  "RemoteAuxPort = 3051\n# and so on\n",
		"databases.conf": "security.db = /nowhere/security.fdb\n{\n\tRemoteAccess = false\n\tDefaultDbCachePages = 50\n}\nerp = /nowhere/erp.fdb\n{\n\tDefaultDbCachePages = 5000\n}\n",
	}
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		dir := laidOut(t, files)
		got := try(t, inst, dir, firebirdtest.Cap)
		if got.Refused != "" {
			t.Fatalf("refused: %s", got.Refused)
		}
		want := map[string]int{ // line by name
			"RemoteServicePort": 3, "RemoteBindAddress": 4, "SecurityDatabase": 5, "TempDirectories": 6, "WireCrypt": 7,
			"AuthServer": 8, "RemoteAccess": 9, "DatabaseAccess": 10, "AuditTraceConfigFile": 11, "RemoteAuxPort": 0, "security.db": 1,
		}
		for _, r := range got.Replaced {
			if line, ok := want[r.Name]; !ok || line != r.Line || r.Was == "" || r.Why == "" {
				t.Errorf("replaced %+v, want line %d (%t)", r, line, ok)
			}
			delete(want, r.Name)
		}
		if len(want) > 0 {
			t.Errorf("not replaced: %v", want)
		}
		for name, content := range files {
			if has, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(has) != content {
				t.Errorf("the trial changed %s: %q, %v", name, has, err)
			}
		}
	})
}

func TestRefused(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		tooLarge := "LockMemSize = 4G" // from 4.0 on no attach is possible with it; 3.0 keeps 32 bits of it, which are 0, and crashes
		if !inst.Version.AtLeast(confgen.Version{Major: 4}) {
			tooLarge = "8191 slots need a LockMemSize of 78296, and it is 65536"
		}
		for _, test := range []struct {
			name, conf, databases string
			want                  []string
		}{
			{"illegal line", "TempDirectories = \"/tmp\n", "", []string{"$DIR/firebird.conf", `illegal line <TempDirectories = "/tmp>`}},
			{"illegal line of a port", "RemoteServicePort = $(nosuch)\n", "", []string{"illegal line <RemoteServicePort = $(nosuch)>"}},
			{"no such include", "include absent.conf\n", "", []string{"absent.conf", "File to include not found"}},
			{"crash", "LockMemSize = 256K\nLockHashSlots = 65521\n", "", []string{"the server ended", "65521 slots need a LockMemSize"}},
			{"duplicate alias", "", "a = /a.fdb\na = /b.fdb\n", []string{"Duplicated alias a"}},
			{"no engine", "Providers = Remote\n", "", []string{"security.fdb", "unavailable"}},
			{"block that cannot be attached", "", "a = /a.fdb\n{\n\tLockMemSize = 4G\n}\n", []string{"databases.conf, a", tooLarge}},
		} {
			t.Run(test.name, func(t *testing.T) {
				dir := laidOut(t, map[string]string{"firebird.conf": test.conf, "databases.conf": test.databases})
				got := try(t, inst, dir, firebirdtest.Cap)
				for _, want := range test.want {
					if !strings.Contains(got.Refused, strings.ReplaceAll(want, "$DIR", dir)) {
						t.Errorf("refused for %q, want %q in it", got.Refused, want)
					}
				}
			})
		}
	})
}

func TestMemoryCap(t *testing.T) {
	inst := firebirdtest.Installation(t)
	dir := laidOut(t, map[string]string{"firebird.conf": "DefaultDbCachePages = 2000000\n"})
	got := try(t, inst, dir, 256*confgen.MiB)
	if !strings.Contains(got.Refused, "memory cap of 256 MiB") {
		t.Errorf("refused for %q", got.Refused)
	}
}

// The directory may be that of the whole installation, where a file that is
// included lies behind a link of the private root: nothing is written through
// the link.
func TestIncludeOfWhatIsLinked(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		installed, err := filepath.EvalSymlinks(filepath.Join(inst.Base(), "intl", "fbintl.conf"))
		if err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(installed)
		if err != nil {
			t.Fatal(err)
		}
		linked := slices.Contains(inst.Linked(), "intl")
		for _, included := range []string{string(content), "# another one\n"} {
			dir := laidOut(t, map[string]string{"firebird.conf": "include intl/*.conf\n", "intl/fbintl.conf": included})
			rules := compare.Rules{Version: inst.Version, Host: fbconf.HostFiles()}
			texts, err := rules.Find(dir)
			if err != nil {
				t.Fatal(err)
			}
			_, err = trial.Run(t.Context(), trial.Options{Installation: inst, Dir: firebirdtest.Dir(t), Cap: firebirdtest.Cap}, rules, texts)
			escapes := linked && included != string(content)
			if escapes != (err != nil) || escapes && !strings.Contains(err.Error(), "escapes") {
				t.Errorf("linked %t, as installed %t: %v", linked, included == string(content), err)
			}
		}
		if after, err := os.ReadFile(installed); err != nil || string(after) != string(content) {
			t.Errorf("%s was written: %v", installed, err)
		}
	})
}
