package study

import (
	"fmt"
	"maps"
	"slices"

	"github.com/c-bata/goptuna"
)

// A Space is the ladder of values of every setting that trials of a study may
// have, in order. Goptuna is told each setting as a category over its ladder:
// its integer ranges lose their top value, and values such as "Super" or "1M"
// have no range.
type Space map[string][]string

// SpaceOf collects the ladders from the cells of a study, values in the order
// in which they first appear.
func SpaceOf(cells ...map[string]string) Space {
	space := Space{}
	for _, cell := range cells {
		for name, value := range cell {
			if !slices.Contains(space[name], value) {
				space[name] = append(space[name], value)
			}
		}
	}
	return space
}

// maxDistribution is the width of goptuna's column for the description of a
// ladder, enforced by PostgreSQL and MySQL.
const maxDistribution = 2048

// check refuses ladders that goptuna could not store or sample from.
func (s Space) check() error {
	for name, ladder := range s {
		if len(ladder) == 0 {
			return fmt.Errorf("%s has no values; give it at least one", name)
		}
		text, err := goptuna.DistributionToJSON(distribution(ladder))
		if err != nil {
			return fmt.Errorf("describe the values of %s: %w", name, err)
		}
		if len(text) > maxDistribution {
			return fmt.Errorf("%s has %d values, too many to store; leave some out", name, len(ladder))
		}
	}
	return nil
}

// set records the values of a trial as goptuna parameters. A setting that is
// left out was not set in the trial.
func (s Space) set(storage goptuna.Storage, trial int, params map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(params)) {
		at := slices.Index(s[name], params[name])
		if at < 0 {
			return fmt.Errorf("%s = %q is not among the study's values %q", name, params[name], s[name])
		}
		if err := storage.SetTrialParam(trial, name, float64(at), distribution(s[name])); err != nil {
			return fmt.Errorf("record %s: %w", name, err)
		}
	}
	return nil
}

// distribution is a ladder as goptuna knows it.
func distribution(ladder []string) goptuna.CategoricalDistribution {
	return goptuna.CategoricalDistribution{Choices: ladder}
}

// Join returns the ladders of both spaces, values of o that s lacks at the end.
func (s Space) Join(o Space) Space {
	joined := maps.Clone(s)
	for name, ladder := range o {
		values := slices.Clone(joined[name])
		for _, value := range ladder {
			if !slices.Contains(values, value) {
				values = append(values, value)
			}
		}
		joined[name] = values
	}
	return joined
}
