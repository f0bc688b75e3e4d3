package study

import (
	"context"
	"encoding/json"
	"fmt"
)

// keptPrefix sets what a study keeps apart from the documents it is made of.
const keptPrefix = "kept:"

// Keep records a value of the study that belongs to none of its trials, as JSON
// of any size, in place of an earlier one of that name.
func (s *Study) Keep(ctx context.Context, name string, value any) error {
	err := s.store.update(ctx, func(db session) error {
		return setDocuments(db.db, ownedByStudy, s.id, map[string]any{keptPrefix + name: value})
	})
	if err != nil {
		return fmt.Errorf("keep %s of study %q: %w", name, s.Name, err)
	}
	return nil
}

// Kept reads a value that Keep recorded into a pointer, and reports whether
// there is one.
func (s *Study) Kept(ctx context.Context, name string, into any) (bool, error) {
	var body json.RawMessage
	err := s.store.view(ctx, func(db session) error {
		docs, err := documentsOf(db.db, ownedByStudy, []int{s.id})
		body = docs[s.id][keptPrefix+name]
		return err
	})
	if err == nil && body != nil {
		err = json.Unmarshal(body, into)
	}
	if err != nil {
		return false, fmt.Errorf("read %s of study %q: %w", name, s.Name, err)
	}
	return body != nil, nil
}
