package running

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
)

// State is what is known of a setting of a running server.
type State string

// States.
const (
	Verified      State = "verified"       // read back and as asked
	NotVerifiable State = "not verifiable" // this version offers no way to read it
	Contradicted  State = "contradicted"   // read back and different
)

// Effective is a setting as it is in force in a running server.
type Effective struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as read back; as asked when it cannot be read
	State State  `json:"state"`
	Note  string `json:"note,omitempty"` // how it was read, and what was expected when contradicted
}

// CacheMode is the name under which Effective reports whether the operating
// system caches the database file: "buffered" or "O_DIRECT".
const CacheMode = "file system cache"

// observed is what can be read from a server of any version.
type observed struct {
	pageBuffers          int64
	mode                 confgen.Mode
	direct               bool
	lockSlots, lockBytes int64
	table                configtable.Table
}

// Effective reads back what is in force for the database the server was
// started with: page buffers from MON$DATABASE, the lock table by
// fb_lock_print, O_DIRECT from the flags of the open file, the architecture
// from the process model and, from 4.0 on, every setting that was written from
// RDB$CONFIG. It opens two attachments for that and closes them.
func (s *Server) Effective(ctx context.Context) ([]Effective, error) {
	const attachments = 2
	var seen observed
	err := attached(ctx, s.Target(s.Database), attachments, func(tx *sql.Tx) error {
		if err := s.observeTables(ctx, tx, &seen); err != nil {
			return err
		}
		if err := s.observeFiles(&seen); err != nil {
			return err
		}
		return s.observeLocks(ctx, &seen)
	})
	if err != nil {
		return nil, fmt.Errorf("read back what is in force: %w", err)
	}
	return s.judge(seen)
}

// Contradictions returns the settings that are not in force as asked.
func Contradictions(list []Effective) []Effective {
	var wrong []Effective
	for _, e := range list {
		if e.State == Contradicted {
			wrong = append(wrong, e)
		}
	}
	return wrong
}

// observeTables reads what the server says of itself.
func (s *Server) observeTables(ctx context.Context, tx *sql.Tx, seen *observed) (err error) {
	if seen.pageBuffers, err = pageBuffers(ctx, tx); err != nil {
		return err
	}
	if s.Installation.Version.AtLeast(configtable.First) {
		seen.table, err = configtable.Read(ctx, tx)
	}
	return err
}

// observeFiles finds the database among the open files of the server. Attachments
// of Super share one open file; each of SuperClassic has its own in one
// process, each of Classic in a process of its own.
func (s *Server) observeFiles(seen *observed) error {
	processes, files := 0, 0
	for _, pid := range s.Processes() {
		flags := openFlags(pid, s.Database)
		if len(flags) > 0 {
			processes++
		}
		for _, f := range flags {
			files++
			seen.direct = seen.direct || f&oDirect != 0
		}
	}
	switch {
	case files == 0:
		return fmt.Errorf("%s is not among the open files of the server", s.Database)
	case processes > 1:
		seen.mode = confgen.Classic
	case files > 1:
		seen.mode = confgen.SuperClassic
	default:
		seen.mode = confgen.Super
	}
	return nil
}

// openFlags returns the open flags of each descriptor of a process for a file.
func openFlags(pid int, path string) []int64 {
	var all []int64
	for link, target := range firebird.OpenFiles(pid) {
		if target != path {
			continue
		}
		f, err := os.Open(fmt.Sprintf("/proc/%d/fdinfo/%s", pid, filepath.Base(link)))
		if err != nil {
			continue // closed meanwhile
		}
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			if value, ok := strings.CutPrefix(lines.Text(), "flags:"); ok {
				if flags, err := strconv.ParseInt(strings.TrimSpace(value), 8, 64); err == nil {
					all = append(all, flags)
				}
			}
		}
		f.Close()
	}
	return all
}

// observeLocks has fb_lock_print read the header of the lock table.
func (s *Server) observeLocks(ctx context.Context, seen *observed) error {
	out, err := s.Tool(ctx, s.Installation.LockPrint(), "-d", s.Database).CombinedOutput()
	if err != nil {
		return fmt.Errorf("fb_lock_print: %s (%w)", strings.TrimSpace(string(out)), err)
	}
	table, err := lockprint.Parse(string(out))
	if err != nil {
		return err
	}
	seen.lockSlots, seen.lockBytes = table.HashSlots, int64(table.Length)
	return nil
}
