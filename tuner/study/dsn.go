package study

import (
	"context"
	"fmt"
	"net/url"
	"strings"

	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
)

// A DSN names the database that holds studies: a file of one machine, or a
// PostgreSQL database that several machines share.
type DSN struct {
	// Path is an SQLite file on this machine's disks. (SQLite's locks do not
	// hold on network file systems.)
	Path string
	// URL is that of a PostgreSQL database, postgres://user@host/database, and
	// empty when Path is not. It holds no password.
	URL string
}

// ParseDSN reads what a person gives as storage: a postgres:// URL or the path
// of a file. A password in the URL is refused, because everyone on the machine
// can read the arguments of a process.
func ParseDSN(text string) (DSN, error) {
	scheme, _, isURL := strings.Cut(text, "://")
	if !isURL {
		if text == "" {
			return DSN{}, fmt.Errorf("storage %q: name a file, or a database such as postgres://user@host/fbtune", text)
		}
		return DSN{Path: text}, nil
	}
	if scheme != "postgres" && scheme != "postgresql" {
		return DSN{}, fmt.Errorf("storage %s://: only postgres:// and files are known", scheme)
	}
	u, err := url.Parse(text)
	if err != nil {
		return DSN{}, fmt.Errorf("storage: %s:// is followed by what is no address; write postgres://user@host/database", scheme) // err shows all of it, a password too
	}
	_, hasPassword := u.User.Password()
	if hasPassword || u.Query().Has("password") {
		return DSN{}, fmt.Errorf("storage %s: every user of this machine can read a password there; put it into PGPASSWORD or ~/.pgpass", u.Redacted())
	}
	return DSN{URL: text}, nil
}

// Shared reports whether other machines can work on the studies, too.
func (d DSN) Shared() bool { return d.URL != "" }

// String names the database for a person.
func (d DSN) String() string {
	if d.Shared() {
		return d.URL
	}
	return d.Path
}

// schemaVersion is the layout of the tables. It grows when a table changes, and
// a database of a newer layout is refused.
const schemaVersion = 1

// newer is the error for a database of a newer layout.
func newer(version int) error {
	return fmt.Errorf("it was written by a newer fbtune (layout %d, this one knows %d); update fbtune", version, schemaVersion)
}

// dialector returns gorm's driver for the database.
func (d DSN) dialector() (gorm.Dialector, error) {
	if d.Shared() {
		return d.postgres()
	}
	return d.sqlite()
}

// prepare checks that the database is sound and ours, and creates the tables in
// a new one.
func (s *Store) prepare(ctx context.Context) error {
	pool, err := s.db.DB()
	if err != nil {
		return err
	}
	// One connection per process: its goroutines queue here instead of
	// competing for the one write lock.
	pool.SetMaxOpenConns(1)
	return s.transaction(ctx, func(tx *gorm.DB) error {
		if s.dsn.Shared() {
			return preparePostgres(tx)
		}
		return prepareSQLite(tx)
	})
}

// transaction runs fn as the only writer of all processes, so that what it reads
// stays true until it ends. SQLite has one writer at a time; in PostgreSQL a lock
// of fbtune's own sees to it.
func (s *Store) transaction(ctx context.Context, fn func(*gorm.DB) error) error {
	return s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if s.dsn.Shared() {
			if err := lockPostgres(tx); err != nil {
				return err
			}
		}
		return fn(tx)
	})
}

// migrate makes goptuna's tables and ours.
func migrate(tx *gorm.DB) error {
	if err := rdb.RunAutoMigrate(tx); err != nil {
		return err
	}
	return tx.AutoMigrate(&document{})
}

// explain adds what was done, to which database, and what to do about it.
func (d DSN) explain(verb string, err error) error {
	hint := sqliteHint(err)
	if d.Shared() {
		hint = postgresHint(err)
	}
	if hint == "" {
		return fmt.Errorf("%s studies %s: %w", verb, d, err)
	}
	return fmt.Errorf("%s studies %s: %w: %s", verb, d, err, hint)
}
