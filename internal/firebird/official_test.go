package firebird

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// printer is a program that prints what it was built with.
const printer = `package main

var text string

func main() { print(text) }
`

// program builds a server that only says its version, for an architecture.
func program(t *testing.T, path, printed, arch string) {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(printer), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "go", "build", "-o", path, "-ldflags", "-X 'main.text="+printed+"'", filepath.Join(dir, "main.go"))
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOOS=linux")
	if arch != "" {
		cmd.Env = append(cmd.Env, "GOARCH="+arch)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// Version and bitness of an official build come from its server, wherever it
// was unpacked and whatever the folder is called.
func TestOfficialBuild(t *testing.T) {
	for _, test := range []struct {
		folder, below, prints  string
		version, full, unknown string
	}{
		{"Firebird-4.0.5.3140-0-linux-x64", "", "LI-V5.0.4.1812 Firebird 5.0", "5.0.4", "5.0.4.1812", ""},
		{"Firebird-5.0.4.1812-0-linux-x64", "opt/firebird", "LI-V3.0.13.33818 Firebird 3.0", "3.0.13", "3.0.13.33818", ""},
		{"x", "", "LI-T6.0.0.800 Firebird 6.0", "6.0.0", "6.0.0.800", ""},
		{"x", "", "LI-V5.1.2.2000 Firebird 5.1", "5.0", "5.0", "does not know Firebird 5.1.2; it goes by the rules of 5.0"},
		{"x", "", "LI-T7.0.0.1 Firebird 7.0", "6.0", "6.0", "does not know Firebird 7.0.0; it goes by the rules of 6.0"},
	} {
		dir := filepath.Join(t.TempDir(), test.folder)
		root := filepath.Join(dir, filepath.FromSlash(test.below))
		program(t, filepath.Join(root, "bin", "firebird"), "Firebird TCP/IP server version "+test.prints, "")
		inst, err := At(t.Context(), dir)
		if err != nil {
			t.Errorf("%s: %v", test.prints, err)
			continue
		}
		if inst.Kind != "official build" || inst.Root != root || inst.Bits != 64 || inst.Version.String() != test.version || inst.FullVersion() != test.full {
			t.Errorf("%s: %+v", test.prints, inst)
		}
		if !strings.Contains(inst.Unknown, test.unknown) || (inst.Unknown == "") != (test.unknown == "") {
			t.Errorf("%s: unknown %q, want %q", test.prints, inst.Unknown, test.unknown)
		}
		if warnings := strings.Join(inst.Warnings(), "\n"); !strings.Contains(warnings, "tests were not run on the build LI-") || !strings.Contains(warnings, test.unknown) {
			t.Errorf("%s: warnings %q", test.prints, warnings)
		}
		if inst.FirebirdConf != filepath.Join(root, "firebird.conf") || inst.Log() != filepath.Join(root, "firebird.log") || inst.Dirs("").SecDB != root {
			t.Errorf("%s: files of %+v", test.prints, inst)
		}
	}
}

func TestOfficialBuildThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "buildroot.tar.gz"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := At(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "unpack the buildroot.tar.gz") {
		t.Errorf("an archive that is not unpacked: %v", err)
	}
	for printed, want := range map[string]string{
		"LI-V2.1.7.18553":   "older than 2.5",
		"no version at all": "ask ",
		"error while loading shared libraries: libtommath.so.0": "put it into ",
	} {
		root := t.TempDir()
		program(t, filepath.Join(root, "bin", "firebird"), printed, "")
		if _, err := At(t.Context(), root); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", printed, err, want)
		}
	}
}

func TestBitness(t *testing.T) {
	for arch, want := range map[string]int{"amd64": 64, "arm64": 64, "386": 32} {
		path := filepath.Join(t.TempDir(), "firebird")
		program(t, path, "x", arch)
		if got, err := bitness(path); err != nil || got != want {
			t.Errorf("a server for %s has %d bits (%v), want %d", arch, got, err, want)
		}
	}
}

// The tests' own builds are what they say they were run on.
func TestProvenBuilds(t *testing.T) {
	builds := map[string]bool{}
	for _, p := range Proofs() {
		for _, b := range p.Builds {
			builds[b] = true
			if number := b[strings.Index(b, "-V")+2:]; !strings.Contains(p.Proof, number) {
				t.Errorf("%s is not in the words of its proof: %q", b, p.Proof)
			}
		}
	}
	found, _ := Find(t.Context())
	for _, root := range filepath.SplitList(os.Getenv("FBTUNE_TEST_ROOTS")) {
		inst, err := At(t.Context(), root)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, inst)
	}
	for _, inst := range found {
		if inst.Kind != "official build" && !builds[inst.Build] {
			t.Errorf("%s in %s is tested and not among the proofs: %v", inst.Build, inst.Root, builds)
		}
	}
}
