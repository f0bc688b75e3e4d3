package workload

import (
	"context"
	"database/sql/driver"
	"fmt"
)

// Marker is what a loaded database says of itself.
type Marker struct {
	Scale         Scale
	SchemaVersion int
	Checksum      string // of LoadResult; empty while loading
	Complete      bool
}

const markerTable = "FBTUNE_MARKER"

// ReadMarker returns the scale a database was loaded with and the version of
// its schema. It returns ErrNoMarker for a database fbtune did not load, which
// must be left alone, and ErrIncomplete for one whose loading was interrupted.
func ReadMarker(ctx context.Context, t Target) (Scale, int, error) {
	m, err := readMarker(ctx, t)
	if err == nil && !m.Complete {
		err = fmt.Errorf("%s: %w", t.Path, ErrIncomplete)
	}
	return m.Scale, m.SchemaVersion, err
}

// readMarker returns the marker row as it is, complete or not.
func readMarker(ctx context.Context, t Target) (Marker, error) {
	var m Marker
	err := onSession(ctx, t, func(s *session) error {
		tables, err := s.queryInts(ctx, "SELECT COUNT(*) FROM RDB$RELATIONS WHERE RDB$RELATION_NAME = ?", markerTable)
		if err != nil {
			return err
		}
		if tables[0] == 0 {
			return fmt.Errorf("%s: %w", t.Path, ErrNoMarker)
		}
		// Cardinality goes through millionths: the marker is then compared exactly.
		v, err := s.queryInts(ctx, `SELECT schema_version, warehouses, CAST(cardinality * 1000000 AS BIGINT), seed, complete
			FROM fbtune_marker`)
		if err != nil {
			return err
		}
		m = Marker{
			Scale:         Scale{Warehouses: int(v[1]), Cardinality: float64(v[2]) / 1e6, Seed: v[3]},
			SchemaVersion: int(v[0]),
			Complete:      v[4] == 1,
		}
		st, err := s.prepare(ctx, "SELECT COALESCE(checksum, '') FROM fbtune_marker", 0)
		if err != nil {
			return err
		}
		row, err := st.call(ctx)
		if err != nil {
			return err
		}
		m.Checksum, err = text(row[0])
		return err
	})
	if err != nil {
		return Marker{}, fmt.Errorf("read the marker: %w", err)
	}
	return m, nil
}

// writeMarker inserts the marker row of a load that begins.
func writeMarker(ctx context.Context, s *session, scale Scale) error {
	return s.within(ctx, readCommitted, func() error {
		st, err := s.prepare(ctx, `INSERT INTO fbtune_marker (schema_version, warehouses, cardinality, seed, complete)
			VALUES (?, ?, ?, ?, 0) RETURNING complete`, 4)
		if err != nil {
			return err
		}
		_, err = st.call(ctx, int64(SchemaVersion), int64(scale.Warehouses), scale.Cardinality, scale.Seed)
		return err
	})
}

// completeMarker says in the marker row that the load is complete.
func completeMarker(ctx context.Context, s *session, checksum string) error {
	return s.within(ctx, readCommitted, func() error {
		st, err := s.prepare(ctx, "UPDATE fbtune_marker SET complete = 1, checksum = ? RETURNING complete", 1)
		if err != nil {
			return err
		}
		_, err = st.call(ctx, checksum)
		return err
	})
}

// text converts what the driver makes of CHAR and VARCHAR.
func text(v driver.Value) (string, error) {
	switch s := v.(type) {
	case string:
		return s, nil
	case []byte:
		return string(s), nil
	}
	return "", fmt.Errorf("%T where text was expected", v)
}
