package memorymodel

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/private"
)

// usage is the memory of a server's processes.
type usage struct {
	pss       confgen.Bytes // sum of the proportional set sizes
	alone     confgen.Bytes // the same, had no other program mapped the same files
	lockTable confgen.Bytes // of it, the larger of the lock tables: not the security database's
	tips      confgen.Bytes // of it, the states of transactions of all databases (from 4.0 on)
	loggedIn  int           // processes that have the security database open
}

// mapped is how much of a file the processes of a server have in memory.
type mapped struct {
	pss confgen.Bytes // sum of the proportional set sizes
	rss confgen.Bytes // of the process that has the most
}

// measure reads the memory of a running server.
//
// A page that two programs map counts half in the PSS of each. Where another
// Firebird of the same version runs, this takes megabytes of program code off a
// server, which it would need by itself. So alone counts a file as what the
// process with the most of it has, when that is more than the sum of PSS; it is
// the same as that sum where nobody else maps the file.
func measure(t *testing.T, s *private.Server) usage {
	t.Helper()
	locks := filepath.Join(s.Dir(), "lock")
	pids := s.Processes()
	var u usage
	for _, pid := range pids {
		if hasOpen(pid, filepath.Join(s.Dir(), "security")) {
			u.loggedIn++
		}
	}
	for file, m := range mappings(t, pids) {
		u.pss += m.pss
		if filepath.IsAbs(file) {
			u.alone += max(m.pss, m.rss)
		} else {
			u.alone += m.pss // [heap] or nameless: nobody else's
		}
		switch dir, name := filepath.Split(file); {
		case filepath.Clean(dir) != locks:
		case strings.HasPrefix(name, "fb_lock_"):
			u.lockTable = max(u.lockTable, m.pss)
		case strings.HasPrefix(name, "fb_tpc_"):
			u.tips += m.pss
		}
	}
	return u
}

// mappings adds up what processes have in memory, by the path of the mapped
// file, and by the kernel's name or none for memory without a file.
func mappings(t *testing.T, pids []int) map[string]mapped {
	t.Helper()
	sum := map[string]mapped{}
	for _, pid := range pids {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps", pid))
		if err != nil {
			t.Fatal(err)
		}
		resident := map[string]confgen.Bytes{} // of this process
		file := ""
		for line := range strings.Lines(string(text)) {
			fields := strings.Fields(line)
			switch fields[0] {
			case "Pss:":
				m := sum[file]
				m.pss += kibibytes(t, fields[1])
				sum[file] = m
			case "Rss:":
				resident[file] += kibibytes(t, fields[1])
			default:
				if strings.HasSuffix(fields[0], ":") {
					continue
				}
				file = "" // address, mode, offset, device, inode, path
				if len(fields) > 5 {
					file = fields[5]
				}
			}
		}
		for file, rss := range resident {
			m := sum[file]
			m.rss = max(m.rss, rss)
			sum[file] = m
		}
	}
	return sum
}

// hasOpen reports whether a process has a file of a directory open.
func hasOpen(pid int, dir string) bool {
	links, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is sound
	for _, link := range links {
		if file, err := os.Readlink(link); err == nil && filepath.Dir(file) == dir {
			return true
		}
	}
	return false
}

// kibibytes reads a figure of smaps.
func kibibytes(t *testing.T, text string) confgen.Bytes {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatalf("read smaps: %v", err)
	}
	return confgen.Bytes(n) * confgen.KiB
}
