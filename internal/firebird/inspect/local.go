package inspect

import (
	"context"
	"net"
	"os"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
	"github.com/fbtune/fbtune/workload"
)

// local is what this machine shows of a server that runs on it.
type local struct {
	here  bool
	pids  []int            // that have the database open
	locks *lockprint.Table // at the first look
}

// local says whether the server's processes can be seen, and notes when not.
func (d *Database) local(t workload.Target) local {
	const what = "lock table and temporary files"
	host, _, err := net.SplitHostPort(t.Addr)
	if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		d.unknown("%s: they are on the server's machine; run fbtune inspect --connect localhost:%s there", what, d.Path)
		return local{}
	}
	if _, err := os.Stat(d.Path); err != nil {
		d.unknown("%s: %v; run fbtune inspect where the server runs, as root or as its account", what, err)
		return local{}
	}
	pids := firebird.Openers(d.Path)
	if len(pids) == 0 {
		d.unknown("%s: no process is seen to have %s open; run fbtune as root or as the server's account", what, d.Path)
	}
	return local{here: len(pids) > 0, pids: pids}
}

// look reads the lock table and temporary files for the first time.
func (l *local) look(ctx context.Context, d *Database, installations []firebird.Installation) {
	if !l.here {
		return
	}
	d.readLocks(ctx, l.pids, installations)
	l.locks = d.Locks
	d.Temp = tempFiles(l.pids)
}

// again keeps the most of temporary files. In Classic every attachment has a
// process of its own.
func (l *local) again(d *Database) {
	if !l.here {
		return
	}
	if now := tempFiles(firebird.Openers(d.Path)); now.Bytes > d.Temp.Bytes {
		d.Temp = now
	}
}

// last reads the lock table at the end of the watch, whose acquires then are
// those of the watch.
func (l *local) last(ctx context.Context, d *Database, installations []firebird.Installation) {
	if l.locks == nil {
		return
	}
	if d.readLocks(ctx, firebird.Openers(d.Path), installations); d.Locks != l.locks {
		since := d.Locks.Since(*l.locks)
		d.Locks = &since
	}
}
