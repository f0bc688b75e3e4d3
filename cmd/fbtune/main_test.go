package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/spf13/cobra"

	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// TestMain lets test processes be the command: testscript runs it as fbtune,
// and so do the tests that kill it.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"fbtune": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			e.Setenv("FBTUNE_HOME", firebirdtest.Dir(t))
			return nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){"exits": exits},
	})
}

// exits is a command of the scripts: "exits CODE fbtune ARG..." runs a command
// and requires an exit code, not only that it fails.
func exits(ts *testscript.TestScript, _ bool, args []string) {
	want := args[0]
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != want {
		ts.Fatalf("exit code %s, want %s", got, want)
	}
}

// Every command's help has its exit status, and an example unless it only
// groups others.
func TestHelp(t *testing.T) {
	var visit func(cmd *cobra.Command)
	visit = func(cmd *cobra.Command) {
		if cmd.Name() == "completion" || cmd.Name() == "help" {
			return // cobra's own
		}
		t.Run(cmd.CommandPath(), func(t *testing.T) {
			out := capture(t, append(strings.Fields(cmd.CommandPath())[1:], "-h")...)
			if !strings.Contains(out, "Exit status: 0 done; 1 ") {
				t.Errorf("no exit status in\n%s", out)
			}
			if cmd.HasParent() && !cmd.HasSubCommands() && cmd.Example == "" {
				t.Errorf("no example in\n%s", out)
			}
		})
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	root := rootCommand(newEnv())
	root.InitDefaultHelpCmd()
	visit(root)
}

// capture runs a command in this process and returns its standard output.
func capture(t *testing.T, args ...string) string {
	t.Helper()
	out, err := captured(t.Context(), t, args...)
	if err != nil {
		t.Fatalf("fbtune %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// captured is capture for a command that may fail.
func captured(ctx context.Context, t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out, progress strings.Builder
	e := newEnv()
	e.stdout, e.stderr, e.terminal = &out, &progress, false
	err := e.run(ctx, args)
	if err != nil {
		t.Logf("progress:\n%s", progress.String())
	}
	return out.String(), err
}

// tiny are flags of a load that is over in seconds.
var tiny = []string{"--warehouses", "2", "--cardinality", "0.02", "--connections", "4", "--warmup", "500ms", "--duration", "1s", "--cap", "2G"}

// useHome gives the commands of a test a work directory of its own.
func useHome(t *testing.T) {
	t.Helper()
	firebirdtest.Installation(t)
	t.Setenv("FBTUNE_HOME", firebirdtest.Dir(t))
	if root := os.Getenv("FBTUNE_TEST_ROOT"); root != "" {
		t.Logf("Firebird of %s", root)
	}
}
