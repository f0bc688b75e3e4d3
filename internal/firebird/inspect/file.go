package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
)

// FromFile reads a database file of this machine. Its header is read from the
// file itself. For tables and indices the installed gstat of its version is run,
// which reads pages from the file too but attaches by its embedded engine for
// their names, so that is done only while no server has the file open.
func FromFile(ctx context.Context, path string, o Options) (Database, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Database{}, fmt.Errorf("resolve %s: %w", path, err)
	}
	header, err := dbheader.Read(path)
	if err != nil {
		return Database{}, err
	}
	d := Database{Name: path, Path: path, Source: "its header page, read from the file", Statistics: gstat.Statistics{Header: header}}
	if o.Tables {
		d.readTables(ctx, o)
	}
	if err := ctx.Err(); err != nil {
		return Database{}, context.Cause(ctx)
	}
	d.unknown("holders of transactions, attachments and cache hits: only the running server tells; inspect it with --connect localhost:%s", path)
	if pids := firebird.Openers(path); len(pids) > 0 {
		d.readLocks(ctx, pids, o.Installations)
		d.Temp = tempFiles(pids)
	} else {
		d.unknown("locks and temporary files: no process is seen to have the file open; where one has, run fbtune as root or as the server's account")
	}
	return d, nil
}

// readTables has gstat read tables and indices, and notes why when it cannot.
func (d *Database) readTables(ctx context.Context, o Options) {
	const what = "tables and indices"
	header := d.Statistics.Header
	if user := inUse(d.Path); user != "" {
		d.unknown("%s: %s, so gstat is not run on it; ask its server with --connect localhost:%s", what, user, d.Path)
		return
	}
	at := slices.IndexFunc(o.Installations, func(i firebird.Installation) bool { return header.ODS.OpenedBy(i.Version) })
	if at < 0 {
		d.unknown("%s: no gstat found that reads ODS %s; name its installation with --firebird-root, or save what its gstat -r prints and give that to --gstat", what, header.ODS)
		return
	}
	inst := o.Installations[at]
	o.note("%s reads %s", inst.Gstat(), header.FileSize)
	statistics, err := runGstat(ctx, inst, d.Path)
	if err != nil {
		d.unknown("%s: %v; ask a server with --connect", what, err)
		return
	}
	statistics.Header = header
	d.Statistics = statistics
	d.Source = fmt.Sprintf("its header page, and %s -r of Firebird %s", inst.Gstat(), inst.Version)
	d.noteStatistics("run inspect again when nothing is written")
}

// runGstat runs gstat -r of an installation on a file that no server has open,
// as the owner of the file, whose lock files then bar nobody. The embedded
// engine asks for no password.
func runGstat(ctx context.Context, inst firebird.Installation, path string) (gstat.Statistics, error) {
	cmd := program(ctx, path, inst, inst.Gstat(), "-r", path)
	cmd.Env = os.Environ()
	if os.Getenv("FIREBIRD") == "" {
		cmd.Env = append(cmd.Env, "FIREBIRD="+inst.Base(), "FIREBIRD_MSG="+inst.Base())
	}
	if os.Getenv("ISC_USER") == "" {
		cmd.Env = append(cmd.Env, "ISC_USER=SYSDBA")
	}
	var out, said bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &said
	if err := cmd.Run(); err != nil {
		return gstat.Statistics{}, fmt.Errorf("%s: %w: %s", inst.Gstat(), err, firstLine(said.String()))
	}
	statistics, err := gstat.Parse(&out)
	if err == nil && !statistics.Pages { // it ends well after an error, too
		err = fmt.Errorf("%s: %s", inst.Gstat(), firstLine(said.String()))
	}
	return statistics, err
}

// program returns a command that runs a program of an installation as the owner
// of a database file.
func program(ctx context.Context, path string, inst firebird.Installation, name string, args ...string) *exec.Cmd {
	argv := inst.Command(name, args...)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir = "/"
	asOwner(cmd, path)
	return cmd
}

// firstLine is the first line of what a program said.
func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	if line == "" {
		return "it gave no reason"
	}
	return line
}

// inUse says who has a file open, or locked, as every engine from 3.0 on locks
// the databases that it opens (30:src/jrd/os/posix/unix.cpp, lockDatabaseFile);
// "" when nobody has as far as can be seen.
func inUse(path string) string {
	if pids := firebird.Openers(path); len(pids) > 0 {
		return fmt.Sprintf("process %d has it open", pids[0])
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return "" // not Linux
		}
		return "it cannot be seen whether it is open (" + err.Error() + ")"
	}
	inode := ":" + fileNumber(path)
	for line := range strings.Lines(string(locks)) {
		// "1: FLOCK  ADVISORY  WRITE 4711 fe:01:393225 0 EOF"
		if fields := strings.Fields(line); len(fields) > 5 && strings.HasSuffix(fields[5], inode) {
			return fmt.Sprintf("process %s has it locked", fields[4])
		}
	}
	return ""
}
