package study

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"strings"
	"time"

	"github.com/c-bata/goptuna"
	"gorm.io/gorm"
)

// A Status is how a trial stands. It is kept apart from the score, and in an
// attribute rather than goptuna's state, which has no place for it.
type Status string

const (
	// Running: the trial was begun and not finished.
	Running Status = "running"
	// OK: the trial has a score.
	OK Status = "ok"
	// Failed: the configuration did not work. Goptuna is told a bad score,
	// because its samplers do not learn from failed trials.
	Failed Status = "failed"
	// Interrupted: the trial says nothing about its configuration and must be
	// repeated. Samplers do not see it.
	Interrupted Status = "interrupted"
)

// ErrTrialOver is returned for a trial that is not running, for instance
// because another process took it over.
var ErrTrialOver = errors.New("the trial is not running any more")

// A TrialID identifies a trial in its store.
type TrialID int

// Names of the goptuna attributes of a trial. Each value is far below the 2048
// characters of their column, except for the reason, which is cut.
const (
	statusAttr    = "fbtune:status"
	reasonAttr    = "fbtune:reason"
	ownerAttr     = "fbtune:owner"
	heartbeatAttr = "fbtune:heartbeat"
)

// maxReason is the number of bytes of a reason that are kept.
const maxReason = 2000

// A Record is what came out of a trial.
type Record struct {
	Status Status
	Reason string  // why, unless OK; a longer log belongs into Attrs
	Score  float64 // of an OK trial: operations per second, above 0
	// Attrs are kept as JSON documents of any size: effective values,
	// per-second series, result, environment. They join those of Begin.
	Attrs map[string]any
}

// A Trial is one run of one configuration.
type Trial struct {
	ID        TrialID
	Number    int               // within the study, from 0, in order of beginning
	Params    map[string]string // the settings it was begun with
	Status    Status
	Reason    string
	Score     float64 // 0 unless OK
	Told      float64 // the value goptuna's samplers see, 0 unless OK or Failed
	Begun     time.Time
	Ended     time.Time // zero while it runs
	Owner     Owner
	Heartbeat time.Time
	Attrs     map[string]json.RawMessage
}

// Begin records that the running process starts a trial with these settings,
// each of them a value of the study's Space. The trial runs until Finish; its
// owner shows that it is alive by Heartbeat.
func (s *Study) Begin(ctx context.Context, params map[string]string, attrs map[string]any) (TrialID, error) {
	var id TrialID
	err := s.store.update(ctx, func(db session) (err error) {
		id, err = s.begin(db, Claim{Params: params, Attrs: attrs})
		return err
	})
	if err != nil {
		return 0, fmt.Errorf("begin trial of %q: %w", s.Name, err)
	}
	return id, nil
}

// begin adds a running trial of this process.
func (s *Study) begin(db session, claim Claim) (TrialID, error) {
	owner, err := json.Marshal(s.self)
	if err != nil {
		return 0, err
	}
	id, err := db.CreateNewTrial(s.id)
	if err != nil {
		return 0, err
	}
	if err := s.Space.set(db, id, claim.Params); err != nil {
		return 0, err
	}
	if err := setAttrs(db, id, map[string]string{
		statusAttr:    string(Running),
		ownerAttr:     string(owner),
		heartbeatAttr: stamp(time.Now()),
	}); err != nil {
		return 0, err
	}
	return TrialID(id), setDocuments(db.db, ownedByTrial, id, claim.Attrs)
}

// Heartbeat records that the trial's owner is alive. ErrTrialOver means that
// the trial was taken over and should be given up.
func (s *Study) Heartbeat(ctx context.Context, id TrialID) error {
	err := s.store.update(ctx, func(db session) error {
		if _, err := s.running(db, id); err != nil {
			return err
		}
		return setAttrs(db, int(id), map[string]string{heartbeatAttr: stamp(time.Now())})
	})
	if err != nil {
		return fmt.Errorf("heartbeat of trial %d: %w", id, err)
	}
	return nil
}

// Finish records the outcome of a running trial, all of it or nothing.
func (s *Study) Finish(ctx context.Context, id TrialID, record Record) error {
	err := s.store.update(ctx, func(db session) error {
		if _, err := s.running(db, id); err != nil {
			return err
		}
		return s.finish(db, int(id), record)
	})
	if err != nil {
		return fmt.Errorf("finish trial %d: %w", id, err)
	}
	return nil
}

// running returns a trial of this study, or ErrTrialOver if it does not run.
func (s *Study) running(db session, id TrialID) (goptuna.FrozenTrial, error) {
	t, err := db.GetTrial(int(id))
	if errors.Is(err, gorm.ErrRecordNotFound) || err == nil && t.StudyID != s.id {
		return t, fmt.Errorf("study %q has no such trial", s.Name)
	}
	if err == nil && t.State.IsFinished() {
		err = ErrTrialOver
	}
	return t, err
}

// finish writes the record of a trial that is known to run.
func (s *Study) finish(db session, id int, record Record) error {
	state := goptuna.TrialStateComplete
	var told float64
	var err error
	switch record.Status {
	case OK:
		if told = record.Score; !(told > 0) || math.IsInf(told, 1) {
			return fmt.Errorf("score %v is not a positive number; a trial without one is failed", told)
		}
	case Failed:
		if told, err = s.scoreOfFailed(db); err != nil {
			return err
		}
	case Interrupted:
		state = goptuna.TrialStateFail
	default:
		return fmt.Errorf("%q is not a status to finish with", record.Status)
	}
	if err := setAttrs(db, id, map[string]string{
		statusAttr: string(record.Status),
		reasonAttr: clip(record.Reason, maxReason),
	}); err != nil {
		return err
	}
	if err := setDocuments(db.db, ownedByTrial, id, record.Attrs); err != nil {
		return err
	}
	if state == goptuna.TrialStateComplete {
		if err := db.SetTrialValue(id, told); err != nil {
			return err
		}
	}
	return db.SetTrialState(id, state)
}

// failedMargin is by how much a failed trial is told to be worse than the worst
// successful one, as a fraction of that: enough to rank below it in any noise,
// not so much that a sampler's model of the scores is bent by it.
const failedMargin = 0.1

// scoreOfFailed returns the value to tell for a failed trial. Before the first
// success it is 0, which is below every valid score.
func (s *Study) scoreOfFailed(db session) (float64, error) {
	frozen, err := db.GetAllTrials(s.id)
	if err != nil {
		return 0, err
	}
	worst := math.Inf(1)
	for _, f := range frozen {
		if Status(f.UserAttrs[statusAttr]) == OK {
			worst = min(worst, f.Value)
		}
	}
	if math.IsInf(worst, 1) {
		return 0, nil
	}
	return worst * (1 - failedMargin), nil
}

// Trials returns all trials in the order in which they were begun.
func (s *Study) Trials(ctx context.Context) ([]Trial, error) {
	var trials []Trial
	err := s.store.view(ctx, func(db session) (err error) {
		trials, err = s.trials(db)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read trials of %q: %w", s.Name, err)
	}
	return trials, nil
}

// trials reads all trials. The documents of a trial that ended do not change,
// so they are read once.
func (s *Study) trials(db session) ([]Trial, error) {
	frozen, err := db.GetAllTrials(s.id)
	if err != nil {
		return nil, err
	}
	unread := db.db.Table("trials").Select("trial_id").Where("study_id = ?", s.id)
	if s.ended > 0 {
		unread = unread.Where("trial_id > ?", s.ended)
	}
	docs, err := documentsOf(db.db, ownedByTrial, unread)
	if err != nil {
		return nil, err
	}
	maps.Copy(s.documents, docs)
	trials := make([]Trial, 0, len(frozen))
	allEnded := true
	for _, f := range frozen {
		t, err := newTrial(f)
		if err != nil {
			return nil, err
		}
		t.Attrs = s.documents[f.ID]
		if allEnded = allEnded && t.Status != Running; allEnded {
			s.ended = f.ID
		}
		trials = append(trials, t)
	}
	return trials, nil
}

// newTrial reads a trial from goptuna's record, without its documents.
func newTrial(f goptuna.FrozenTrial) (Trial, error) {
	t := Trial{
		ID:     TrialID(f.ID),
		Number: f.Number,
		Params: make(map[string]string, len(f.Params)),
		Status: Status(f.UserAttrs[statusAttr]),
		Reason: f.UserAttrs[reasonAttr],
		Told:   f.Value,
		Begun:  f.DatetimeStart,
		Ended:  f.DatetimeComplete,
	}
	for name, value := range f.Params {
		t.Params[name] = fmt.Sprint(value)
	}
	if t.Status == OK {
		t.Score = f.Value
	}
	if err := json.Unmarshal([]byte(f.UserAttrs[ownerAttr]), &t.Owner); err != nil {
		return Trial{}, fmt.Errorf("decode the owner of trial %d: %w", f.Number, err)
	}
	var err error
	if t.Heartbeat, err = time.Parse(time.RFC3339Nano, f.UserAttrs[heartbeatAttr]); err != nil {
		return Trial{}, fmt.Errorf("decode the heartbeat of trial %d: %w", f.Number, err)
	}
	return t, nil
}

// setAttrs sets goptuna attributes of a trial.
func setAttrs(db session, id int, attrs map[string]string) error {
	for key, value := range attrs {
		if err := db.SetTrialUserAttr(id, key, value); err != nil {
			return fmt.Errorf("set %s: %w", key, err)
		}
	}
	return nil
}

// clip returns at most n bytes of a text, as valid UTF-8: a server's log may be
// in any encoding, and the cut may fall inside a character.
func clip(text string, n int) string {
	return strings.ToValidUTF8(text[:min(n, len(text))], "?")
}

// stamp writes a time for an attribute.
func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
