package firebird

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Mark is the environment variable that every process of a private server
// carries, so that fbtune tells its own servers from its user's. Its value is
// the directory of the server.
const Mark = "FBTUNE_SERVER"

// servers returns the ids of the running processes of a program that do not
// carry the mark. Where there is no /proc it finds none.
func servers(program string) []int {
	var pids []int
	links, _ := filepath.Glob("/proc/[0-9]*/exe") // the pattern is sound
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != program {
			continue // ended, another user's, or another program
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		if err == nil && Marked(pid) == "" {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// Marked returns the directory of the private server that process pid belongs
// to, or "" when it belongs to none or cannot be read.
func Marked(pid int) string {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return ""
	}
	for entry := range strings.SplitSeq(string(environ), "\x00") {
		if dir, ok := strings.CutPrefix(entry, Mark+"="); ok {
			return dir
		}
	}
	return ""
}

// AllMarked returns the ids of all processes of private servers, by the
// directory of the server.
func AllMarked() map[string][]int {
	marked := map[string][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil // no such place here, and no private servers either
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if dir := Marked(pid); dir != "" {
			marked[dir] = append(marked[dir], pid)
		}
	}
	return marked
}
