package firebird

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestFullVersion(t *testing.T) {
	for build, want := range map[string]string{"LI-V3.0.11.33637": "3.0.11.33637", "WI-T6.0.0.800": "6.0.0.800"} {
		if got := (Installation{Build: build}).FullVersion(); got != want {
			t.Errorf("%s: %q, want %q", build, got, want)
		}
	}
}

func TestBuildPattern(t *testing.T) {
	for text, want := range map[string]string{
		"Firebird TCP/IP server version LI-V3.0.11.33637 Firebird 3.0": "LI-V3.0.11.33637",
		"Firebird TCP/IP server version LI-T6.0.0.800 Firebird 6.0":    "LI-T6.0.0.800",
		"bash: not found": "",
	} {
		if got := build.FindString(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// unpacked makes the root of a build whose server is a program that prints a
// version.
func unpacked(t *testing.T, printed string) string {
	t.Helper()
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "bin"), 0o755); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\necho '" + printed + "'\n"
	if err := os.WriteFile(filepath.Join(root, "bin", "firebird"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	return root
}

func TestAtRefusesWhatIsNoFirebird(t *testing.T) {
	empty := t.TempDir()
	if _, err := At(context.Background(), empty); err == nil || !strings.Contains(err.Error(), "no Firebird in "+empty) {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := At(context.Background(), unpacked(t, "x")); err == nil || !strings.Contains(err.Error(), "server program") {
		t.Errorf("a script as the server: %v, want it refused as no program", err)
	}
}

// A tree of Debian packages that lacks its loader is not run by another.
func TestAtWantsTheWholeTree(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{"usr/lib/firebird/4.0/bin", "usr/lib/x86_64-linux-gnu/firebird/4.0"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "usr/lib/firebird/4.0/bin/firebird"), nil, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := At(t.Context(), root); !errors.Is(err, os.ErrNotExist) || !strings.Contains(err.Error(), "find the loader of "+root) {
		t.Errorf("without a loader: %v", err)
	}
	for _, loader := range []string{"ld-linux-x86-64.so.2", "ld-linux.so.2"} {
		if err := os.WriteFile(filepath.Join(root, "usr/lib/x86_64-linux-gnu", loader), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := At(t.Context(), root); err == nil || !strings.Contains(err.Error(), "more than one") {
		t.Errorf("with two loaders: %v", err)
	}
}

func TestCommand(t *testing.T) {
	for _, test := range []struct{ loader, want string }{
		{"", "/bin/isql -q"},
		{"/d/usr/lib/x/ld-linux.so.2", "/d/usr/lib/x/ld-linux.so.2 --library-path /d/usr/lib/x /bin/isql -q"},
	} {
		if got := strings.Join((Installation{loader: test.loader}).Command("/bin/isql", "-q"), " "); got != test.want {
			t.Errorf("with loader %q: %q, want %q", test.loader, got, test.want)
		}
	}
}

func TestFindOnThisMachine(t *testing.T) {
	found, broken := Find(t.Context())
	if len(broken) > 0 {
		t.Errorf("broken installations: %v", broken)
	}
	for _, inst := range found {
		if inst.Bits != 64 && inst.Bits != 32 || inst.Version.Major < 3 || !strings.Contains(inst.Build, inst.FullVersion()) {
			t.Errorf("installation %+v", inst)
		}
		for _, path := range []string{inst.Server, inst.Isql(), inst.LockPrint(), inst.PluginsConf(), inst.FirebirdConf} {
			if _, err := os.Stat(path); err != nil {
				t.Error(err)
			}
		}
		again, err := At(t.Context(), inst.Root)
		if err != nil || again.Build != inst.Build {
			t.Errorf("at its own root: %+v (%v)", again, err)
		}
	}
	_, err := Choose(t.Context(), "")
	if (len(found) == 0) != errors.Is(err, ErrNone) {
		t.Errorf("choose: %v with %d found", err, len(found))
	}
}

func TestScanLog(t *testing.T) {
	const log = "vm\tTue Dec  1 00:32:47 2026\n\tDatabase: /x.fdb\n\tAllocated 25337 page buffers of 32768 requested\n\n" +
		"vm\tTue Dec  1 00:32:48 2026\n\tSweep is started by SYSDBA\n\nvm\n\tsetsockopt: error setting IPV6_V6ONLY to 0\n"
	found := ScanLog(log)
	if len(found) != 2 || !found[0].Fatal || found[1].Fatal {
		t.Fatalf("found %+v, want the short cache as fatal and the sweep not", found)
	}
	if !strings.Contains(found[0].Text, "25337") || !strings.Contains(found[0].Means, "page cache") {
		t.Errorf("first finding %+v", found[0])
	}
}
