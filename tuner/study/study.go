package study

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm"
)

// A Kind is what produced a study.
type Kind string

// The kinds of study.
const (
	Sweep  Kind = "sweep"
	Tune   Kind = "tune"
	Growth Kind = "growth"
)

// Command is how the command line spells what makes studies of the kind.
func (k Kind) Command() string {
	if k == Growth {
		return "bench growth"
	}
	return string(k)
}

// Meta describes a study.
type Meta struct {
	Name string // unique in the store
	Kind Kind
	// Created is when; Create fills it in when it is zero.
	Created time.Time
	// Plan is all that is needed to go on without any flag, as JSON.
	Plan json.RawMessage
	// Environment is the machine, server build and file system, as JSON.
	Environment json.RawMessage
	// Space holds the values each setting can have in the study's trials.
	Space Space
	// Owner is the process that works on the study, or did last; Create fills
	// in the running one.
	Owner Owner
	// Finished says that nothing is left to run.
	Finished bool
}

// Names of the attributes and documents of a study.
const (
	metaDocument     = "meta"
	planDocument     = "plan"
	envDocument      = "environment"
	spaceDocument    = "space"
	ownerDocument    = "owner"
	finishedDocument = "finished"
)

// metaHead is the part of Meta that never changes and has no document of its
// own.
type metaHead struct {
	Kind    Kind      `json:"kind"`
	Created time.Time `json:"created"`
}

// A Study is one study of a store, for one goroutine except for Heartbeat.
// Goptuna's direction is to maximise: a higher score is better.
type Study struct {
	Meta
	// Worker names this process among those that work on the study; it is empty
	// where only one does.
	Worker string

	id    int
	store *Store
	self  Owner

	// Of trials that were read: up to identifier ended all have ended.
	documents map[int]map[string]json.RawMessage
	ended     int
}

// Create adds a study. The name must be new: ErrExists says that it is not.
func (s *Store) Create(ctx context.Context, meta Meta) (*Study, error) {
	if meta.Name == "" {
		return nil, errors.New("create study: it has no name")
	}
	if err := meta.Space.check(); err != nil {
		return nil, fmt.Errorf("create study %q: %w", meta.Name, err)
	}
	self, err := Self()
	if err != nil {
		return nil, fmt.Errorf("create study %q: %w", meta.Name, err)
	}
	if meta.Owner == (Owner{}) {
		meta.Owner = self
	}
	if meta.Created.IsZero() {
		meta.Created = time.Now()
	}
	study := &Study{Meta: meta, store: s, self: self, documents: map[int]map[string]json.RawMessage{}}
	err = s.update(ctx, func(db session) error {
		_, err := db.GetStudyIDFromName(meta.Name)
		switch {
		case err == nil:
			return fmt.Errorf("%w; choose another or go on with it by --resume %s", ErrExists, meta.Name)
		case !errors.Is(err, gorm.ErrRecordNotFound):
			return err
		}
		if study.id, err = db.CreateNewStudy(meta.Name); err != nil {
			return err
		}
		if err := db.SetStudyDirection(study.id, goptuna.StudyDirectionMaximize); err != nil {
			return err
		}
		return setDocuments(db.db, ownedByStudy, study.id, map[string]any{
			metaDocument:     metaHead{Kind: meta.Kind, Created: meta.Created},
			planDocument:     meta.Plan,
			envDocument:      meta.Environment,
			spaceDocument:    meta.Space,
			ownerDocument:    meta.Owner,
			finishedDocument: meta.Finished,
		})
	})
	if err != nil {
		return nil, fmt.Errorf("create study %q: %w", meta.Name, err)
	}
	return study, nil
}

// Load returns the study of that name, or ErrNotFound.
func (s *Store) Load(ctx context.Context, name string) (*Study, error) {
	self, err := Self()
	if err != nil {
		return nil, fmt.Errorf("load study %q: %w", name, err)
	}
	study := &Study{store: s, self: self, documents: map[int]map[string]json.RawMessage{}}
	err = s.view(ctx, func(db session) error {
		study.id, err = db.GetStudyIDFromName(name)
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return notFound(db)
		}
		if err != nil {
			return err
		}
		study.Meta, err = loadMeta(db, study.id, name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("load study %q: %w", name, err)
	}
	return study, nil
}

// notFound is ErrNotFound with the names that could have been meant.
func notFound(db session) error {
	names, err := studyNames(db)
	switch {
	case err != nil:
		return err
	case len(names) == 0:
		return fmt.Errorf("%w; none has been made yet", ErrNotFound)
	}
	return fmt.Errorf("%w; choose one of %q", ErrNotFound, slices.Sorted(maps.Values(names)))
}

// loadMeta reads a study's description.
func loadMeta(db session, id int, name string) (Meta, error) {
	docs, err := documentsOf(db.db, ownedByStudy, []int{id})
	if err != nil {
		return Meta{}, err
	}
	meta := Meta{Name: name}
	var head metaHead
	for document, into := range map[string]any{
		metaDocument:     &head,
		planDocument:     &meta.Plan,
		envDocument:      &meta.Environment,
		spaceDocument:    &meta.Space,
		ownerDocument:    &meta.Owner,
		finishedDocument: &meta.Finished,
	} {
		if err := decode(docs[id], document, into); err != nil {
			return Meta{}, err
		}
	}
	meta.Kind, meta.Created = head.Kind, head.Created
	return meta, nil
}

// decode reads one document, which must be there.
func decode(docs map[string]json.RawMessage, name string, into any) error {
	body, ok := docs[name]
	if !ok {
		return fmt.Errorf("its %s is missing: it was not made by fbtune", name)
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("decode its %s: %w", name, err)
	}
	return nil
}

// A Summary is a study at a glance.
type Summary struct {
	Meta
	Trials map[Status]int // number of trials by status
	Best   float64        // highest score of a successful trial, 0 without one
}

// List returns all studies, the newest first.
func (s *Store) List(ctx context.Context) ([]Summary, error) {
	var list []Summary
	err := s.view(ctx, func(db session) error {
		names, err := studyNames(db)
		if err != nil {
			return err
		}
		for id, name := range names {
			sum, err := summarize(db, id, name)
			if err != nil {
				return fmt.Errorf("study %q: %w", name, err)
			}
			list = append(list, sum)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("list studies: %w", err)
	}
	slices.SortFunc(list, func(a, b Summary) int {
		return cmp.Or(b.Created.Compare(a.Created), cmp.Compare(a.Name, b.Name))
	})
	return list, nil
}

// studyNames returns the names of all studies by identifier. Goptuna's own
// listing is not used: it loads every attribute of every trial.
func studyNames(db session) (map[int]string, error) {
	var rows []struct {
		StudyID   int
		StudyName string
	}
	if err := db.db.Table("studies").Find(&rows).Error; err != nil {
		return nil, err
	}
	names := make(map[int]string, len(rows))
	for _, r := range rows {
		names[r.StudyID] = r.StudyName
	}
	return names, nil
}

// summarize counts a study's trials.
func summarize(db session, id int, name string) (Summary, error) {
	meta, err := loadMeta(db, id, name)
	if err != nil {
		return Summary{}, err
	}
	frozen, err := db.GetAllTrials(id)
	if err != nil {
		return Summary{}, err
	}
	sum := Summary{Meta: meta, Trials: map[Status]int{}}
	for _, f := range frozen {
		t, err := newTrial(f)
		if err != nil {
			return Summary{}, err
		}
		sum.Trials[t.Status]++
		sum.Best = max(sum.Best, t.Score)
	}
	return sum, nil
}

// LatestUnfinished returns the name of the newest study of a kind that is not
// finished, or ErrNone.
func (s *Store) LatestUnfinished(ctx context.Context, kind Kind) (string, error) {
	list, err := s.List(ctx)
	if err != nil {
		return "", err
	}
	for _, sum := range list {
		if !sum.Finished && sum.Kind == kind {
			return sum.Name, nil
		}
	}
	return "", ErrNone
}

// Adopt makes the running process the owner of the study, before it goes on
// with it. Unless the store is shared it refuses while the owner of before is
// known to run.
func (s *Study) Adopt(ctx context.Context) error {
	owner := s.Owner
	err := s.store.update(ctx, func(db session) error {
		meta, err := loadMeta(db, s.id, s.Name)
		if err != nil {
			return err
		}
		running, err := meta.Owner.runsElsewhere(s.self)
		if err != nil {
			return err
		}
		if running && !s.store.Shared() {
			return fmt.Errorf("%v works on it; end that one first", meta.Owner)
		}
		owner = s.self
		return setDocuments(db.db, ownedByStudy, s.id, map[string]any{ownerDocument: owner})
	})
	if err != nil {
		return fmt.Errorf("take over study %q: %w", s.Name, err)
	}
	s.Owner = owner
	return nil
}

// MarkFinished records that nothing is left to run.
func (s *Study) MarkFinished(ctx context.Context) error {
	err := s.store.update(ctx, func(db session) error {
		return setDocuments(db.db, ownedByStudy, s.id, map[string]any{finishedDocument: true})
	})
	if err != nil {
		return fmt.Errorf("finish study %q: %w", s.Name, err)
	}
	s.Finished = true
	return nil
}
