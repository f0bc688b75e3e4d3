// Package firebird finds the Firebird installations of a machine.
package firebird

import (
	"cmp"
	"context"
	"debug/elf"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
)

// Installation is a Firebird found on this machine. Paths are absolute.
type Installation struct {
	Kind    string          `json:"kind"`    // who laid it out: "Debian package", "unpacked Debian package", "official build"
	Version confgen.Version `json:"version"` // as the server prints it
	Build   string          `json:"build"`   // "LI-V3.0.11.33637"
	Bits    int             `json:"bits"`    // 32 or 64, of the server, not of fbtune
	Root    string          `json:"root"`    // the directory --firebird-root takes
	Server  string          `json:"server"`  // the server's program
	// Unknown says of a version that fbtune has no rules for by which it goes; it
	// is empty for the others. Version is then the one whose rules these are.
	Unknown string `json:"unknown,omitempty"`

	FirebirdConf  string `json:"firebird_conf"`
	DatabasesConf string `json:"databases_conf"`
	Running       []int  `json:"running"` // process ids of its servers; none of fbtune's own

	layout layout
	base   string // the directory of plugins, intl and firebird.msg
	loader string // the dynamic loader that runs its programs; "" when the machine's does
	exe    string // what /proc/PID/exe of its servers says
}

// ErrNone is the error of a machine without a Firebird.
var ErrNone = errors.New("no Firebird found: install one (on Debian: make firebird), or name the directory of an unpacked build with --firebird-root")

// Find returns the installations of this machine, newest version first, and
// the ones that are there but do not run, as errors.
func Find(ctx context.Context) (found []Installation, broken []error) {
	for _, l := range layouts {
		for _, pattern := range l.roots {
			roots, err := filepath.Glob(pattern)
			if err != nil {
				broken = append(broken, fmt.Errorf("look for Firebird in %s: %w", pattern, err))
				continue
			}
			for _, root := range roots {
				inst, err := l.at(ctx, root)
				switch {
				case err == nil:
					found = append(found, inst)
				case !errors.Is(err, os.ErrNotExist):
					broken = append(broken, err)
				}
			}
		}
	}
	slices.SortStableFunc(found, func(a, b Installation) int { return b.Version.Compare(a.Version) })
	return found, broken
}

// Choose returns the installation with the given root, or the newest one found
// when root is empty. The error is ErrNone when there is none.
func Choose(ctx context.Context, root string) (Installation, error) {
	if root != "" {
		return At(ctx, root)
	}
	found, broken := Find(ctx)
	if len(found) == 0 {
		return Installation{}, errors.Join(append([]error{ErrNone}, broken...)...)
	}
	return found[0], nil
}

// At returns the installation whose root is dir.
func At(ctx context.Context, dir string) (Installation, error) {
	root, err := filepath.Abs(dir)
	if err != nil {
		return Installation{}, fmt.Errorf("resolve %s: %w", dir, err)
	}
	for _, root := range []string{root, filepath.Join(root, "opt", "firebird")} { // the second in an unpacked buildroot.tar.gz
		for _, l := range layouts {
			if l.claims(root) {
				return l.at(ctx, root)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(root, packed)); err == nil {
		return Installation{}, fmt.Errorf("no Firebird in %s yet: unpack the %s there (tar xzf), and name the directory again", dir, packed)
	}
	return Installation{}, fmt.Errorf("no Firebird in %s: name the directory that holds bin/firebird, one that unpack-4.0.sh made, or one that fbtune probe lists", dir)
}

// packed is what an official archive for Linux holds besides its installer: the
// build itself, below opt/firebird.
const packed = "buildroot.tar.gz"

// at reads what is installed at root in this layout. The error is
// os.ErrNotExist when a part of it is not there.
func (l layout) at(ctx context.Context, root string) (Installation, error) {
	inst := Installation{
		Kind: l.kind, Root: root, Server: below(root, l.server), layout: l,
		FirebirdConf:  filepath.Join(below(root, l.conf), "firebird.conf"),
		DatabasesConf: filepath.Join(below(root, l.conf), "databases.conf"),
	}
	var err error
	if inst.base, err = only(below(root, l.base)); err != nil {
		return Installation{}, fmt.Errorf("find the plugins of %s: %w", root, err)
	}
	if l.loader != "" {
		if inst.loader, err = only(below(root, l.loader)); err != nil {
			return Installation{}, fmt.Errorf("find the loader of %s: %w", root, err)
		}
	}
	// The kernel names a program without the links on the way to it.
	if inst.exe, err = filepath.EvalSymlinks(inst.Command(inst.Server)[0]); err != nil {
		return Installation{}, fmt.Errorf("find the server of %s: %w", root, err)
	}
	if inst.Bits, err = bitness(inst.Server); err != nil {
		return Installation{}, err
	}
	if inst.Build, err = askVersion(ctx, inst); err != nil {
		return Installation{}, err
	}
	if inst.Version, err = confgen.ParseVersion(inst.Build); err != nil {
		return Installation{}, fmt.Errorf("ask %s for its version: %w", inst.Server, err)
	}
	if inst.Version, inst.Unknown, err = ruled(inst.Version); err != nil {
		return Installation{}, fmt.Errorf("use %s: %w", inst.Server, err)
	}
	inst.Running = inst.Servers()
	return inst, nil
}

// ruled returns the version by whose rules a version is treated, and what to
// say of that where it is another: the newest known one that is not newer.
func ruled(v confgen.Version) (confgen.Version, string, error) {
	lines := confgen.Lines()
	for _, line := range slices.Backward(lines) {
		switch {
		case line == v.Line():
			return v, "", nil
		case v.AtLeast(line):
			return line, fmt.Sprintf("fbtune does not know Firebird %s; it goes by the rules of %s", v, line), nil
		}
	}
	return v, "", fmt.Errorf("version %s of Firebird is older than %s, the oldest that fbtune knows", v, lines[0])
}

// Command returns the command line that runs a program of the installation:
// the program, or the installation's own loader with it where its libraries are
// not the machine's. LD_LIBRARY_PATH would do that too, but for every program
// of the machine that is started on the way.
func (i Installation) Command(program string, args ...string) []string {
	argv := append([]string{program}, args...)
	if i.loader == "" {
		return argv
	}
	return append([]string{i.loader, "--library-path", filepath.Dir(i.loader)}, argv...)
}

// FullVersion is the version with its build number, "3.0.11.33637": a build can
// lack what its release has, as Debian's 3.0.11 does. Of an unknown version it is
// that whose rules count.
func (i Installation) FullVersion() string {
	if i.Unknown != "" {
		return i.Version.String()
	}
	_, number, _ := strings.Cut(i.Build, "-")
	return strings.TrimLeft(number, "VT")
}

// Isql is the path of the interactive SQL program.
func (i Installation) Isql() string { return below(i.Root, i.layout.isql) }

// LockPrint is the path of fb_lock_print.
func (i Installation) LockPrint() string { return below(i.Root, i.layout.locks) }

// Gstat is the path of gstat, which Debian calls fbstat.
func (i Installation) Gstat() string { return below(i.Root, i.layout.stat) }

// PluginsConf is the path of plugins.conf.
func (i Installation) PluginsConf() string {
	return filepath.Join(below(i.Root, i.layout.conf), "plugins.conf")
}

// Base is the directory that plugins, intl and firebird.msg lie in.
func (i Installation) Base() string { return i.base }

// Copied are the parts of [Installation.Base] that a root of its own must hold
// as real files, for the engine refuses plugins that it finds through a link.
func (i Installation) Copied() []string { return i.layout.copied }

// Linked are the parts of [Installation.Base] that a root of its own may link.
func (i Installation) Linked() []string { return i.layout.linked }

// LogDir is the directory the server writes its log to whatever its root is,
// or "" when the log follows the root.
func (i Installation) LogDir() string { return i.layout.logDir }

// LogName is the name of the log file.
func (i Installation) LogName() string { return i.layout.logName }

// bitness reads how wide the addresses of a program are: a 32-bit server has
// at most 4 GiB whatever the machine has.
func bitness(program string) (int, error) {
	f, err := elf.Open(program)
	if err != nil {
		return 0, fmt.Errorf("read the server program: %w", err)
	}
	defer f.Close()
	if f.Class == elf.ELFCLASS32 {
		return 32, nil
	}
	return 64, nil
}

// build is the version in what a server prints: "Firebird TCP/IP server
// version LI-V3.0.11.33637 Firebird 3.0".
var build = regexp.MustCompile(`\b[A-Z]{2}-[VT](\d+\.){3}\d+\b`)

// askVersion runs the server for its version only.
func askVersion(ctx context.Context, inst Installation) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	argv := inst.Command(inst.Server, "-z")
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), "FIREBIRD="+inst.base)
	out, err := cmd.CombinedOutput()
	found := build.FindString(string(out))
	if found == "" {
		text := strings.TrimSpace(string(out))
		advice := ""
		if strings.Contains(text, "error while loading shared libraries") {
			advice = fmt.Sprintf("; install that library, or put it into %s", filepath.Join(inst.Root, "lib"))
		}
		return "", fmt.Errorf("ask %s for its version: it printed %.200q (%v)%s", inst.Server, text, cmp.Or(err, errors.New("no version")), advice)
	}
	return found, nil
}
