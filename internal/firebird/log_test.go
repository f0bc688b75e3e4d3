package firebird

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// entries is a log as the engine writes it (src/yvalve/gds.cpp, gds__log).
const entries = "\nsrv\tTue Nov  3 08:00:01 2026\n\tDatabase: /data/my erp.fdb\n\tAllocated 30000 page buffers of 32768 requested\n\n" +
	"\nsrv (Server)\tTue Dec  1 02:37:14 2026\n\tSweep is started by SYSDBA\n\n" +
	"\nsrv\tTue Dec  1 02:37:15 2026\n\tFirebird startup error:\n\t/etc/firebird.conf: illegal line <TempDirectories = \"/tmp>\n\n" +
	"\nsrv\tTue Dec  1 02:37:16 2026\n\tDatabase: /data/my erp.fdb\n\tAllocated 25337 page buffers of 32768 requested\n\n" +
	"\nsrv\tTue Dec  1 02:37:17 2026\n\tI/O error during \"write\" operation for file \"/data/a.fdb\"\n\tError extending file\n"

func logFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "firebird.log")
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestReadLog(t *testing.T) {
	at := func(second int) time.Time { return time.Date(2026, 12, 1, 2, 37, second, 0, time.Local) }
	got, partial, err := ReadLog(logFile(t, entries))
	want := []LogLine{
		{"short cache", "Database: /data/my erp.fdb Allocated 25337 page buffers of 32768 requested", "/data/my erp.fdb", 2, at(16)},
		{"sweep", "Sweep is started by SYSDBA", "", 1, at(14)},
		{"startup error", "Firebird startup error: /etc/firebird.conf: illegal line <TempDirectories = \"/tmp>", "", 1, at(15)},
		{"disk full", "I/O error during \"write\" operation for file \"/data/a.fdb\" Error extending file", "", 1, at(17)},
	}
	if err != nil || partial || !reflect.DeepEqual(got, want) {
		t.Errorf("%t, %v\ngot  %+v\nwant %+v", partial, err, got, want)
	}
	windows, _, err := ReadLog(logFile(t, strings.ReplaceAll(entries, "\n", "\r\n")))
	if err != nil || !reflect.DeepEqual(windows, want) {
		t.Errorf("with line ends of Windows: %+v (%v)", windows, err)
	}
}

// Only the end of a huge log is read, and an entry cut there has no date.
func TestReadLogOfManyYears(t *testing.T) {
	path := logFile(t, entries)
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt([]byte("\n\tToo many open files\n"), mostOfLog+int64(len(entries))); err != nil { // sparse
		t.Fatal(err)
	}
	got, partial, err := ReadLog(path)
	if err != nil || !partial || len(got) != 1 || got[0].Kind != "open files" || !got[0].Last.IsZero() {
		t.Errorf("%t, %+v (%v); want the last line, undated", partial, got, err)
	}
}

func TestReadLogShortens(t *testing.T) {
	got, _, err := ReadLog(logFile(t, "x\tTue Dec  1 02:37:14 2026\n\tToo many open files "+strings.Repeat("é", 400)+"\n"))
	if err != nil || len(got) != 1 || len([]rune(got[0].Text)) != mostOfEntry || !strings.HasSuffix(got[0].Text, "é...") {
		t.Errorf("%+v (%v)", got, err)
	}
	if _, _, err := ReadLog(filepath.Join(t.TempDir(), "absent.log")); !os.IsNotExist(err) && err == nil {
		t.Errorf("a log that is not there: %v", err)
	}
}

func TestLogKinds(t *testing.T) {
	seen := map[string]bool{}
	for _, kind := range LogKinds() {
		if kind == "" || seen[kind] {
			t.Errorf("kind %q is empty or twice there", kind)
		}
		seen[kind] = true
	}
	if len(seen) != len(logRules) {
		t.Error(fmt.Sprint(seen))
	}
}
