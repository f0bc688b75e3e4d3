package inspect

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
)

// lockPrintTimeout bounds a run of fb_lock_print, which takes milliseconds.
const lockPrintTimeout = 30 * time.Second

// readLocks reads the lock table of the database, which the processes have
// open, or notes why that cannot be done.
func (d *Database) readLocks(ctx context.Context, pids []int, installations []firebird.Installation) {
	table, err := lockTable(ctx, d.Path, pids, installations)
	if err != nil {
		d.unknown("lock table: %v", err)
		return
	}
	d.Locks = &table
}

// lockTable has fb_lock_print of the installation that serves a database read
// the header of its lock table. Lock tables lie where the server's environment
// says.
func lockTable(ctx context.Context, path string, pids []int, installations []firebird.Installation) (lockprint.Table, error) {
	if len(pids) == 0 {
		return lockprint.Table{}, errors.New("no process has the database open any more")
	}
	for _, pid := range pids {
		for _, inst := range installations {
			if !inst.Serves(pid) {
				continue
			}
			ctx, cancel := context.WithTimeout(ctx, lockPrintTimeout)
			defer cancel()
			cmd := program(ctx, path, inst, inst.LockPrint(), "-d", path)
			cmd.Env = serverEnvironment(inst, pid)
			out, err := cmd.CombinedOutput()
			if err != nil {
				return lockprint.Table{}, fmt.Errorf("%s: %w: %s", inst.LockPrint(), err, firstLine(string(out)))
			}
			return lockprint.Parse(string(out))
		}
	}
	return lockprint.Table{}, fmt.Errorf("process %d, which has the database open, is the server of no installation that was found; name its directory with --firebird-root", pids[0])
}

// serverEnvironment returns what of the environment of a server says where its
// parts are.
func serverEnvironment(inst firebird.Installation, pid int) []string {
	environment := []string{"LANG=C"}
	variables := firebird.Environment(pid)
	for name, value := range variables {
		if strings.HasPrefix(name, "FIREBIRD") || name == "PATH" || name == "TMP" {
			environment = append(environment, name+"="+value)
		}
	}
	if variables["FIREBIRD"] == "" {
		environment = append(environment, "FIREBIRD="+inst.Base())
	}
	return environment
}
