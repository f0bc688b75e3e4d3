// Package configtable reads RDB$CONFIG, in which a server says which
// configuration is in force for a database.
package configtable

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// First is the first version with RDB$CONFIG.
var First = confgen.Version{Major: 4}

// Table holds the rows of RDB$CONFIG by the settings' names; it is nil where
// there is no such table.
type Table map[string]Row

// Row is what a server says of a setting.
type Row struct {
	Value  string
	Set    bool   // whether it was written somewhere
	Source string // where: "firebird.conf"
}

// Read reads RDB$CONFIG.
func Read(ctx context.Context, tx *sql.Tx) (_ Table, err error) {
	rows, err := tx.QueryContext(ctx, "SELECT TRIM(RDB$CONFIG_NAME), RDB$CONFIG_VALUE, RDB$CONFIG_IS_SET, RDB$CONFIG_SOURCE FROM RDB$CONFIG")
	if err != nil {
		return nil, fmt.Errorf("read RDB$CONFIG: %w", err)
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	table := Table{}
	for rows.Next() {
		var name string
		var value, source sql.NullString // of a setting that is not written
		var row Row
		if err := rows.Scan(&name, &value, &row.Set, &source); err != nil {
			return nil, fmt.Errorf("read RDB$CONFIG: %w", err)
		}
		row.Value, row.Source = value.String, source.String
		table[name] = row
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read RDB$CONFIG: %w", err)
	}
	if len(table) == 0 {
		return nil, errors.New("read RDB$CONFIG: it shows nothing to this user")
	}
	return table, nil
}
