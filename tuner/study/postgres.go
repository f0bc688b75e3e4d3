package study

import (
	"errors"
	"fmt"
	"net/url"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/driver/postgres"
	"gorm.io/gorm"
)

// schema is the PostgreSQL schema that holds fbtune's tables, so that they are
// apart from whatever else is in the database.
const schema = "fbtune"

// postgres returns the driver for a PostgreSQL database. The password comes from
// PGPASSWORD or ~/.pgpass, as libpq's does.
func (d DSN) postgres() (gorm.Dialector, error) {
	u, err := url.Parse(d.URL)
	if err != nil {
		return nil, fmt.Errorf("open studies: %w", err)
	}
	query := u.Query()
	query.Set("search_path", schema)
	query.Set("application_name", "fbtune")
	u.RawQuery = query.Encode()
	return postgres.Open(u.String()), nil
}

// lockPostgres makes the transaction the only one of fbtune's that writes.
func lockPostgres(tx *gorm.DB) error {
	return tx.Exec("SELECT pg_advisory_xact_lock(?)", applicationID).Error
}

// preparePostgres checks fbtune's schema, or makes it with its tables.
func preparePostgres(tx *gorm.DB) error {
	var exists bool
	if err := tx.Raw("SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = ?)", schema).Scan(&exists).Error; err != nil {
		return err
	}
	if !exists {
		return createPostgres(tx)
	}
	var version int
	if err := tx.Raw("SELECT version FROM fbtune_layout").Scan(&version).Error; err != nil {
		return err
	}
	if version > schemaVersion {
		return newer(version)
	}
	return nil
}

// createPostgres makes the schema, its tables, and the note of their layout.
func createPostgres(tx *gorm.DB) error {
	if err := tx.Exec("CREATE SCHEMA " + schema).Error; err != nil {
		return err
	}
	if err := migrate(tx); err != nil {
		return err
	}
	if err := tx.Exec("CREATE TABLE fbtune_layout (version integer NOT NULL)").Error; err != nil {
		return err
	}
	return tx.Exec("INSERT INTO fbtune_layout VALUES (?)", schemaVersion).Error
}

// postgresHints says what to do about the errors a person can do something
// about, by SQLSTATE.
var postgresHints = map[string]string{
	"28P01": "put the password into PGPASSWORD or ~/.pgpass",
	"28000": "let this user and host in by pg_hba.conf",
	"3D000": "create the database with createdb, or name another",
	"42501": "grant CREATE on the database to this user",
	"42P01": "its schema " + schema + " is not fbtune's; use a database of fbtune's own",
	"53100": "free some space on the server's disk",
}

// postgresHint says what to do about an error, or nothing.
func postgresHint(err error) string {
	var code *pgconn.PgError
	if errors.As(err, &code) {
		return postgresHints[code.Code]
	}
	var connect *pgconn.ConnectError
	if errors.As(err, &connect) {
		return "check host and port, and that the server runs"
	}
	return ""
}
