package differential

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/memcap"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// engine answers inputs: the one inside isql, with a private server's root.
type engine struct {
	inst      firebird.Installation
	version   confgen.Version
	dialect   fbconf.Dialect
	server    *private.Server
	root      string      // of the configuration
	databases string      // directory of $DB and $OTHERDB
	dirs      fbconf.Dirs // what macros stand for
	paths     *strings.Replacer
	cap       memcap.Cap
	isolation []string // the command that takes its arguments off the network
}

const (
	pageSize  = 4096
	engineCap = 512 * confgen.MiB
	// patience is how long an answer may take that takes 40 ms on an idle
	// machine.
	patience = time.Minute
)

// newEngine returns the engine of an installation, which goes with the test.
func newEngine(t *testing.T, inst firebird.Installation) *engine {
	t.Helper()
	s := firebirdtest.New(t, inst, firebirdtest.Cap)
	e := &engine{inst: inst, version: inst.Version, server: s, root: filepath.Join(s.Dir(), "root"), databases: filepath.Join(s.Dir(), "databases")}
	e.paths = strings.NewReplacer(
		"$ROOT", e.root, "$INC", filepath.Join(e.root, "inc.conf"),
		"$DB", filepath.Join(e.databases, "t.fdb"), "$OTHERDB", filepath.Join(e.databases, "o.fdb"))
	var err error
	if e.dialect, err = fbconf.ParseDialect(inst.FullVersion()); err != nil {
		t.Fatal(err)
	}
	if e.cap, _, err = memcap.New(filepath.Base(s.Dir())+"-isql", engineCap); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.cap.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := e.isolate(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	if err := e.lay(t.Context()); err != nil {
		t.Fatal(err)
	}
	if e.dirs, err = e.learnDirs(t.Context()); err != nil {
		t.Fatal(err)
	}
	return e
}

// isolate finds the command that runs isql without a network: an engine that
// does not find a file asks the server on port 3050 of this machine for it, and
// an alias may name any host.
func (e *engine) isolate() error {
	e.isolation = []string{"unshare", "--net"}
	if os.Geteuid() != 0 {
		e.isolation = append(e.isolation, "--user", "--map-current-user")
	}
	if out, err := exec.Command(e.isolation[0], append(e.isolation[1:], "true")...).CombinedOutput(); err != nil {
		return fmt.Errorf("this machine offers no network namespace, without which a text could reach a real server: %s (%w)", bytes.TrimSpace(out), err)
	}
	if os.Geteuid() == 0 {
		e.isolation = append(e.isolation, "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--")
	}
	return nil
}

// laid are the files that texts can include, by their path below the root. Of
// several that set one key and match one wildcard, the first on the disk counts.
var laid = map[string]string{
	"inc.conf":        "DefaultDbCachePages = 7777\n",
	"inc-slots.conf":  "LockHashSlots = 2003\r\n",
	".hidden.conf":    "TempCacheLimit = 1234567\n",
	"sub/x.conf":      "DefaultDbCachePages = 171\n",
	"sub/up.conf":     "include ../inc-slots.conf\nDeadlockTimeout = 7\n",
	"sub/this.conf":   "include $(this)/x.conf\nTempDirectories = $(this)/tmp\n",
	"w/a/x.conf":      "DefaultDbCachePages = 172\nGCPolicy = background\n",
	"w/b/x.conf":      "DefaultDbCachePages = 173\n",
	"bad.cf":          "MaxUserTraceLogSize = 3\na\"\n",
	"loop.cf":         "include loop.cf\n",
	"nest.cf":         "include sub/*.conf\n",
	"block.cf":        "DefaultDbCachePages = 174\n}\n",
	"alias.databases": "inc = $DB\n{\nDefaultDbCachePages = 175\n}\n",
}

// lay creates the databases and the files to include.
func (e *engine) lay(ctx context.Context) error {
	for path, text := range laid {
		path = filepath.Join(e.root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(e.paths.Replace(text)), 0o644); err != nil {
			return err
		}
	}
	if err := errors.Join(os.Mkdir(e.databases, 0o755), e.server.Adopt(e.databases)); err != nil {
		return err
	}
	for link, target := range map[string]string{
		filepath.Join(e.root, "link.conf"):      "sub/x.conf",
		filepath.Join(e.root, "sublink"):        "sub",
		filepath.Join(e.databases, "link.fdb"):  "t.fdb",
		filepath.Join(e.databases, "other.fdb"): filepath.Join(e.databases, "o.fdb"),
	} {
		if err := os.Symlink(target, link); err != nil {
			return err
		}
	}
	for _, name := range []string{"t.fdb", "o.fdb"} {
		if err := e.server.CreateDatabase(ctx, filepath.Join(e.databases, name), pageSize); err != nil {
			return err
		}
	}
	return nil
}

// learnDirs asks what the macros stand for. An engine without RDB$CONFIG is
// Debian's 3.0, where these three follow the root.
func (e *engine) learnDirs(ctx context.Context) (fbconf.Dirs, error) {
	if !e.configTable() {
		return fbconf.Dirs{Root: e.root, Conf: e.root + "/", Msg: e.root + "/"}, nil
	}
	var dirs fbconf.Dirs
	for macro, dir := range map[string]*string{
		"root": &dirs.Root, "install": &dirs.Install, "dir_conf": &dirs.Conf, "dir_secDb": &dirs.SecDB, "dir_plugins": &dirs.Plugins,
		"dir_udf": &dirs.UDF, "dir_sample": &dirs.Sample, "dir_sampleDb": &dirs.SampleDB, "dir_intl": &dirs.Intl, "dir_msg": &dirs.Msg,
	} {
		in := conf("TempDirectories = $(" + macro + ")\n")
		if err := e.write(in); err != nil {
			return dirs, err
		}
		a, err := e.ask(ctx, in)
		if err != nil {
			return dirs, err
		}
		if *dir = a.settings[confgen.TempDirectories].value; *dir == "" {
			return dirs, fmt.Errorf("$(%s) stands for nothing: %+v", macro, a.fate)
		}
	}
	return dirs, nil
}

// configTable reports whether the engine has RDB$CONFIG.
func (e *engine) configTable() bool { return e.version.Major >= 4 }

// write puts an input's files into the root.
func (e *engine) write(in input) error {
	in = in.expanded(e.paths)
	texts := map[fbconf.Kind]string{fbconf.FirebirdConf: "", fbconf.DatabasesConf: ""}
	texts[in.kind] = in.text
	for kind, text := range texts {
		if err := os.WriteFile(filepath.Join(e.root, kind.String()), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// ask has the engine answer an input that was written.
func (e *engine) ask(ctx context.Context, in input) (answer, error) {
	if err := e.clean(); err != nil {
		return answer{}, err
	}
	killed, err := e.cap.Kills()
	if err != nil {
		return answer{}, err
	}
	out, err := e.isql(ctx, in.expanded(e.paths).attach)
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return answer{}, err
	}
	if kills, err := e.cap.Kills(); err != nil || kills > killed {
		return answer{fate: capped}, err
	}
	switch {
	case ctx.Err() != nil:
		return answer{}, ctx.Err()
	case ended == nil:
		return parseAnswer(out, 0)
	case errors.Is(err, context.DeadlineExceeded):
		return answer{fate: hangs}, nil
	case ended.ExitCode() < 0:
		return answer{fate: dies, words: ended.String()}, nil
	}
	return parseAnswer(out, ended.ExitCode())
}

// isql runs the script on a database. The environment is a private server's, so
// that nothing of the user's is read or touched.
func (e *engine) isql(ctx context.Context, attach string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	argv := e.cap.Wrap(append(e.isolation[:len(e.isolation):len(e.isolation)],
		e.inst.Command(e.inst.Isql(), "-quiet", "-user", "SYSDBA", attach)...))
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = e.databases
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "LANG=C",
		firebird.Mark + "=" + e.server.Dir(),
		"FIREBIRD=" + e.root,
		"FIREBIRD_MSG=" + e.root,
		"FIREBIRD_LOCK=" + filepath.Join(e.server.Dir(), "lock"),
		"FIREBIRD_TMP=" + filepath.Join(e.server.Dir(), "tmp"),
	}
	cmd.Stdin = strings.NewReader(script(e.configTable()))
	cmd.WaitDelay = time.Second
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Start(); err != nil {
		return "", err
	}
	watched, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		e.cap.Watch(watched, cmd.Process.Pid)
	}()
	err := cmd.Wait()
	stop()
	<-done
	if ctx.Err() != nil && err != nil {
		err = errors.Join(context.Cause(ctx), err)
	}
	return out.String(), err
}

// clean removes what an engine that crashed left of its shared memory.
func (e *engine) clean() error {
	left, err := filepath.Glob(filepath.Join(e.server.Dir(), "lock", "*"))
	if err != nil {
		return err
	}
	for _, path := range left {
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
