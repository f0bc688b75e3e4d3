package firebird_test

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// A server is known by what it runs, also where every program of the
// installation is the same loader to the kernel.
func TestServes(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		for _, mode := range confgen.Modes() {
			s, _ := firebirdtest.Started(t, inst, map[string]string{confgen.ServerMode: string(mode)})
			pids := s.Processes()
			if len(pids) == 0 {
				t.Fatalf("%s: no process of the running server is known", mode)
			}
			again, err := firebird.At(t.Context(), inst.Root)
			if err != nil {
				t.Fatal(err)
			}
			for _, pid := range pids {
				if slices.Contains(again.Running, pid) {
					t.Errorf("%s: process %d of a private server is listed as the user's", mode, pid)
				}
			}
		}
		argv := inst.Command(inst.Isql(), "-quiet")
		isql := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		input, err := isql.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := isql.Start(); err != nil {
			t.Fatal(err)
		}
		if inst.Serves(isql.Process.Pid) {
			t.Error("isql is taken for a server")
		}
		if err := input.Close(); err != nil {
			t.Error(err)
		}
		if err := isql.Wait(); err != nil {
			t.Error(err)
		}
	})
}

// LD_LIBRARY_PATH would break the machine's own programs that a server is
// started by.
func TestUnpackedRunsByItsOwnLoader(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		argv := inst.Command(inst.Server, "-z")
		if unpacked := inst.Kind == "unpacked Debian package"; strings.Contains(argv[0], "/ld-linux") != unpacked {
			t.Errorf("a %s runs as %q", inst.Kind, argv)
		}
		out, err := exec.CommandContext(t.Context(), argv[0], argv[1:]...).CombinedOutput()
		if err != nil || !strings.Contains(string(out), inst.Build) {
			t.Errorf("%q printed %q (%v), want %s in it", argv, out, err, inst.Build)
		}
	})
}
