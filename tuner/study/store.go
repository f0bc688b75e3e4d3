// Package study keeps the trials of sweeps, tunings and growths in goptuna's storage.
//
// A study outlives the process that runs it: its plan is stored with it, and a
// trial whose process was killed is recognised, marked and repeated. Small
// facts are goptuna's own (state, value, parameters, attributes), so that its
// samplers can go on from the same record; everything of unknown size is kept
// as documents beside them (see documents.go).
package study

import (
	"context"
	"errors"
	"fmt"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/rdb.v2"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
)

// ErrNone is returned by LatestUnfinished when there is no such study.
var ErrNone = errors.New("no unfinished study")

// ErrNotFound is returned by Load for a name no study has.
var ErrNotFound = errors.New("no such study")

// ErrExists is returned by Create for a name that is taken.
var ErrExists = errors.New("a study of this name exists")

// A Store holds studies in one database. It may be used by several goroutines,
// and the database by several processes, at once.
type Store struct {
	db  *gorm.DB
	dsn DSN
}

// Open opens the SQLite database at path, creating it if it does not exist.
// The folder must exist.
func Open(ctx context.Context, path string) (*Store, error) {
	return OpenDSN(ctx, DSN{Path: path})
}

// OpenDSN opens the database that dsn names.
func OpenDSN(ctx context.Context, dsn DSN) (*Store, error) {
	dialector, err := dsn.dialector()
	if err != nil {
		return nil, err
	}
	// gorm logs failed statements to stdout by default; every error is
	// returned, so nothing is lost.
	db, err := gorm.Open(dialector, &gorm.Config{Logger: logger.Discard})
	if err != nil {
		return nil, dsn.explain("open", err)
	}
	s := &Store{db: db, dsn: dsn}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(dsn.explain("open", err), s.Close())
	}
	return s, nil
}

// Shared reports whether other machines can work on the studies, too.
func (s *Store) Shared() bool { return s.dsn.Shared() }

// Close releases the database.
func (s *Store) Close() error {
	db, err := s.db.DB()
	if err != nil {
		return fmt.Errorf("close studies: %w", err)
	}
	if err := db.Close(); err != nil {
		return fmt.Errorf("close studies: %w", err)
	}
	return nil
}

// A session is the store within one transaction: goptuna's storage for what it
// models, the bare connection for documents.
type session struct {
	goptuna.Storage
	db *gorm.DB
}

// view runs fn on the store without a transaction.
func (s *Store) view(ctx context.Context, fn func(session) error) error {
	db := s.db.WithContext(ctx)
	return fn(session{rdb.NewStorage(db), db})
}

// update runs fn in one transaction, so that a process killed within leaves
// nothing half written. Goptuna's own transactions nest in it as savepoints.
func (s *Store) update(ctx context.Context, fn func(session) error) error {
	return s.transaction(ctx, func(tx *gorm.DB) error {
		return fn(session{rdb.NewStorage(tx), tx})
	})
}
