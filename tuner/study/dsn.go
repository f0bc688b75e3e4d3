package study

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/c-bata/goptuna/rdb.v2"
	sqlitedriver "github.com/glebarez/go-sqlite"
	"github.com/glebarez/sqlite"
	"gorm.io/gorm"
	sqlite3 "modernc.org/sqlite/lib"
)

// A DSN names the database that holds studies.
type DSN struct {
	// Path is an SQLite file on this machine's disks. (SQLite's locks do not
	// hold on network file systems.)
	Path string
}

// applicationID marks an SQLite file as fbtune's ("fbtn"), so that no other
// program's database is taken for a study and written to.
const applicationID = 0x6662746e

// schemaVersion is the layout of the tables. It grows when a table changes, and
// a file of a newer layout is refused.
const schemaVersion = 1

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

// dialector returns gorm's driver for the database. The file is given as an
// URI, because the driver would cut a plain path at a question mark.
func (d DSN) dialector() (gorm.Dialector, error) {
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

// prepare checks that the database is sound and ours, and creates the tables in
// a new one. All of it is one transaction: of two processes that find the file
// missing, the second waits and then finds the tables.
func (s *Store) prepare(ctx context.Context, dsn DSN) error {
	pool, err := s.db.DB()
	if err != nil {
		return err
	}
	// One connection per process: its goroutines queue here instead of
	// competing for SQLite's one write lock.
	pool.SetMaxOpenConns(1)
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
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
			return createTables(tx)
		case id != applicationID:
			return fmt.Errorf("this is another program's SQLite database; name a different file")
		case version > schemaVersion:
			return fmt.Errorf("it was written by a newer fbtune (layout %d, this one knows %d); update fbtune", version, schemaVersion)
		}
		var problem string
		if err := tx.Raw("PRAGMA quick_check(1)").Scan(&problem).Error; err != nil {
			return err
		}
		if problem != "ok" {
			return damaged{problem}
		}
		return nil
	})
}

// createTables makes goptuna's tables and ours.
func createTables(tx *gorm.DB) error {
	if err := rdb.RunAutoMigrate(tx); err != nil {
		return err
	}
	if err := tx.AutoMigrate(&document{}); err != nil {
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

// explain adds what was done, to which file, and what to do about it.
func (d DSN) explain(verb string, err error) error {
	hint := ""
	var code *sqlitedriver.Error
	var broken damaged
	switch {
	case errors.As(err, &broken):
		hint = salvage
	case errors.As(err, &code):
		hint = advice[code.Code()&0xff]
	}
	if hint == "" {
		return fmt.Errorf("%s studies %s: %w", verb, d.Path, err)
	}
	return fmt.Errorf("%s studies %s: %w: %s", verb, d.Path, err, hint)
}
