package study

import (
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	sqlitedriver "github.com/glebarez/go-sqlite"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	sqlite3 "modernc.org/sqlite/lib"
)

// applicationID marks a database as fbtune's ("fbtn"), so that no other
// program's is taken for a study and written to.
const applicationID = 0x6662746e

// pragmas are set on every connection. SQLite has one writer at a time: with
// busy_timeout the others wait instead of failing, and with _txlock=immediate
// (below) they wait at the start of a transaction, where waiting cannot
// deadlock. In WAL mode synchronous=NORMAL flushes to disk at checkpoints only;
// a killed process loses nothing, a power cut at most the latest trials, and
// no heartbeat waits for the disk that is being measured.
var pragmas = []string{
	"busy_timeout(30000)",
	"journal_mode(WAL)",
	"synchronous(NORMAL)",
	"foreign_keys(ON)",
}

// sqlite returns the driver for a file. It is given as an URI, because the
// driver would cut a plain path at a question mark.
func (d DSN) sqlite() (gorm.Dialector, error) {
	if d.Path == "" {
		return nil, errors.New("open studies: no file named")
	}
	path, err := filepath.Abs(d.Path)
	if err != nil {
		return nil, fmt.Errorf("open studies: %w", err)
	}
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // C:/Users
		path = "/" + path
	}
	query := url.Values{"_pragma": pragmas, "_txlock": {"immediate"}}
	uri := url.URL{Scheme: "file", Path: path, RawQuery: query.Encode()}
	return sqlite.Open(uri.String()), nil
}

// prepareSQLite checks a file, or makes its tables. Of two processes that find
// the file missing, the second waits and then finds the tables.
func prepareSQLite(tx *gorm.DB) error {
	var id, version, tables int
	for query, into := range map[string]*int{
		"PRAGMA application_id":              &id,
		"PRAGMA user_version":                &version,
		"SELECT count(*) FROM sqlite_schema": &tables,
	} {
		if err := tx.Raw(query).Scan(into).Error; err != nil {
			return err
		}
	}
	switch {
	case id == 0 && version == 0 && tables == 0:
		return createSQLite(tx)
	case id != applicationID:
		return errors.New("this is another program's SQLite database; name a different file")
	case version > schemaVersion:
		return newer(version)
	}
	var problem string
	if err := tx.Raw("PRAGMA quick_check(1)").Scan(&problem).Error; err != nil {
		return err
	}
	if problem != "ok" {
		return damaged{problem}
	}
	return nil
}

// createSQLite makes the tables and marks the file.
func createSQLite(tx *gorm.DB) error {
	if err := migrate(tx); err != nil {
		return err
	}
	for pragma, value := range map[string]int{
		"application_id": applicationID,
		"user_version":   schemaVersion,
	} {
		if err := tx.Exec(fmt.Sprintf("PRAGMA %s = %d", pragma, value)).Error; err != nil {
			return err
		}
	}
	return nil
}

// damaged is a finding of SQLite's own check of a file.
type damaged struct{ problem string }

func (d damaged) Error() string {
	return "the file is damaged: " + strings.ReplaceAll(d.problem, "\n", " ")
}

// advice says what to do about the SQLite errors a person can do something
// about, by primary result code.
var advice = map[int]string{
	sqlite3.SQLITE_NOTADB:   "it is not an SQLite database; move it away or name another file",
	sqlite3.SQLITE_CORRUPT:  salvage,
	sqlite3.SQLITE_CANTOPEN: "check that the folder exists and may be written",
	sqlite3.SQLITE_READONLY: "check the permissions of the file and its folder",
	sqlite3.SQLITE_FULL:     "free some space on the disk",
	sqlite3.SQLITE_BUSY:     "another process holds it; end that one or wait",
}

// salvage is the advice for a damaged file.
const salvage = "move it away to start afresh, or save what is readable with: sqlite3 FILE .recover"

// sqliteHint says what to do about an error, or nothing.
func sqliteHint(err error) string {
	var code *sqlitedriver.Error
	var broken damaged
	switch {
	case errors.As(err, &broken):
		return salvage
	case errors.As(err, &code):
		return advice[code.Code()&0xff]
	}
	return ""
}
