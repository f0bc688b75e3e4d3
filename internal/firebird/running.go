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

// Servers returns the ids of the servers of the installation that run now and do
// not carry the mark. Where there is no /proc it finds none.
func (i Installation) Servers() []int {
	pids := []int{} // in JSON none is [], never null
	for _, pid := range processes() {
		if i.Serves(pid) && Marked(pid) == "" {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids
}

// Serves reports whether a process is a server of the installation. One that
// ended, or is another user's, is not known to be.
func (i Installation) Serves(pid int) bool {
	proc := "/proc/" + strconv.Itoa(pid)
	if exe, err := os.Readlink(proc + "/exe"); err != nil || exe != i.exe {
		return false
	}
	if i.loader == "" {
		return true
	}
	// The loader runs every program of the installation; the command line says which.
	line, err := os.ReadFile(proc + "/cmdline")
	return err == nil && slices.Contains(strings.Split(string(line), "\x00"), i.Server)
}

// processes returns the ids of all processes, none where there is no /proc.
func processes() []int {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	var pids []int
	for _, e := range entries {
		if pid, err := strconv.Atoi(e.Name()); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

// Marked returns the directory of the private server that process pid belongs
// to, or "" when it belongs to none or cannot be read.
func Marked(pid int) string { return Environment(pid)[Mark] }

// Environment returns the environment that a process was started with, nil when
// it is another account's or there is no /proc.
func Environment(pid int) map[string]string {
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/environ")
	if err != nil {
		return nil
	}
	variables := map[string]string{}
	for entry := range strings.SplitSeq(string(environ), "\x00") {
		if name, value, ok := strings.Cut(entry, "="); ok {
			variables[name] = value
		}
	}
	return variables
}

// OpenFiles returns what the descriptors of a process lead to, by the links
// below /proc that are the descriptors. It is empty for a process of another
// account, and where there is no /proc.
func OpenFiles(pid int) map[string]string {
	links, _ := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/fd/*") // the pattern is sound
	files := map[string]string{}
	for _, link := range links {
		if target, err := os.Readlink(link); err == nil {
			files[link] = target
		}
	}
	return files
}

// Openers returns the ids of the processes that have a file open, as far as this
// process may see that.
func Openers(path string) []int {
	if resolved, err := filepath.EvalSymlinks(path); err == nil {
		path = resolved
	}
	var pids []int
	for _, pid := range processes() {
		for _, target := range OpenFiles(pid) {
			if target == path {
				pids = append(pids, pid)
				break
			}
		}
	}
	return pids
}

// AllMarked returns the ids of all processes of private servers, by the
// directory of the server.
func AllMarked() map[string][]int {
	marked := map[string][]int{}
	for _, pid := range processes() {
		if dir := Marked(pid); dir != "" {
			marked[dir] = append(marked[dir], pid)
		}
	}
	return marked
}
