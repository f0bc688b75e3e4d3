package study

import (
	"context"
	"fmt"
	"time"
)

// deadAfter is how long nothing was heard of a trial whose study may be deleted.
const deadAfter = time.Minute

// Delete removes the study of that name with all its trials. It refuses while
// the study's owner is known to run, or a trial of a shared study was heard of a
// moment ago; ErrNotFound says that there is none.
func (s *Store) Delete(ctx context.Context, name string) error {
	st, err := s.Load(ctx, name)
	if err != nil {
		return err
	}
	self, err := Self()
	if err != nil {
		return fmt.Errorf("delete study %q: %w", name, err)
	}
	err = s.update(ctx, func(db session) error {
		meta, err := loadMeta(db, st.id, name)
		if err != nil {
			return err
		}
		if running, err := meta.Owner.runsElsewhere(self); err != nil {
			return err
		} else if running {
			return fmt.Errorf("%v works on it; end that one first", meta.Owner)
		}
		if err := st.idle(db); err != nil {
			return err
		}
		trials := db.db.Table("trials").Select("trial_id").Where("study_id = ?", st.id)
		if err := db.db.Where("owner = ? AND owner_id IN (?)", ownedByTrial, trials).Delete(&document{}).Error; err != nil {
			return err
		}
		if err := db.db.Where("owner = ? AND owner_id = ?", ownedByStudy, st.id).Delete(&document{}).Error; err != nil {
			return err
		}
		return db.DeleteStudy(st.id) // its foreign keys take the rest along
	})
	if err != nil {
		return fmt.Errorf("delete study %q: %w", name, err)
	}
	return nil
}

// idle returns an error while a trial of the study runs.
func (s *Study) idle(db session) error {
	trials, err := s.trials(db)
	if err != nil {
		return err
	}
	for _, t := range trials {
		if t.Status != Running {
			continue
		}
		reason, err := s.staleness(t, time.Now(), deadAfter)
		if err != nil {
			return err
		}
		if reason == "" {
			return fmt.Errorf("%v runs a trial of it; end that one first", t.Owner)
		}
	}
	return nil
}
