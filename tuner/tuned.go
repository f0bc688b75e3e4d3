package tuner

import (
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/tuner/stats"
)

// Files returns the winner as a pair of configuration files, each setting with
// its measured effect above it. name is that of the study.
func (o Outcome) Files(name string, base confgen.Base) ([]confgen.ConfFile, error) {
	winner, ok := o.Find(o.Winner)
	if !ok {
		return nil, fmt.Errorf("study %s has no winner yet: go on with fbtune tune --resume %s", name, name)
	}
	chosen := confgen.Chosen{
		Version: o.Tuning.Version, Mode: winner.Mode,
		Head: append([]string{fmt.Sprintf("firebird.conf for Firebird %s, %s: tuned by fbtune, study %s.", o.Tuning.Version, winner.Mode, name)}, o.Sentences()...),
	}
	for key, value := range winner.Settings {
		chosen.Settings = append(chosen.Settings, confgen.ChosenSetting{Name: key, Value: value, Why: fmt.Sprintf("tuned, study %s: %s.", name, o.effect(key, value))})
	}
	return chosen.Files(base)
}

// effect says what a setting was measured to bring.
func (o Outcome) effect(key, value string) string {
	for _, i := range o.Influences {
		if i.Name != key || i.Value != value && i.Value != "" {
			continue
		}
		if !i.Estimable {
			return "its influence cannot be told from that of others that always changed with it"
		}
		step := "against " + i.Against
		if i.Value == "" {
			step = "for each step up its ladder"
		}
		return fmt.Sprintf("influence %+.1f %% [%+.1f, %+.1f] %s, all else held (influence, not proof)", 100*(i.Ratio-1), 100*(i.Low-1), 100*(i.High-1), step)
	}
	for _, i := range o.Influences {
		if i.Name == key && i.Against == value {
			return "the value that others were compared with"
		}
	}
	return "held, not searched"
}

// inUse names the configuration that a winner has to beat: the one in use, stock
// where that is it.
func (o Outcome) inUse() string {
	if _, other := o.Find(CurrentName); other {
		return CurrentName
	}
	return StockName
}

// recommended reports whether the confirmation showed the winner to be better
// than what is in use, by more than this machine's detection limit.
func (o Outcome) recommended() bool {
	i := slices.IndexFunc(o.Verdicts, func(v Verdict) bool { return v.Against == o.inUse() })
	return i >= 0 && o.Verdicts[i].Announced
}

// Sentences says in three sentences what to change, what it brings and how sure
// that is.
func (o Outcome) Sentences() []string {
	if _, ok := o.Find(o.Winner); !ok {
		return []string{"There is no winner yet."}
	}
	return []string{o.change(), o.gain(), o.certainty()}
}

// change says what to change: nothing, unless that was shown to be better.
func (o Outcome) change() string {
	best := o.Label(o.Winner)
	switch {
	case o.Winner == o.inUse():
		return fmt.Sprintf("Leave %s as it is: nothing that was tried is better by more than this machine can show.", spoken(o.Winner))
	case len(o.Verdicts) == 0:
		return fmt.Sprintf("The race chose %s; nothing has confirmed it yet.", best)
	case !o.Recommended:
		return fmt.Sprintf("Leave %s as it is: the best of the search, %s, was not shown to be better.", spoken(o.inUse()), best)
	}
	return fmt.Sprintf("Run %s: of what could not be told from the best it takes the least memory.", best)
}

// gain says what the winner brings.
func (o Outcome) gain() string {
	if len(o.Verdicts) == 0 {
		return "It was not compared with another configuration."
	}
	text := ""
	for _, v := range o.Verdicts {
		if text != "" {
			text += "; "
		}
		text += fmt.Sprintf("%+.1f %% [%+.1f, %+.1f] against %s: %s", 100*(v.Ratio-1), 100*(v.Low-1), 100*(v.High-1), spoken(v.Against), v.word())
	}
	if o.Tuning.Load.Objective() == LatencyP95 {
		return "The inverse of the p95 latency, so that more is better: " + text + "."
	}
	return "Operations per second " + text + "."
}

// spoken is the name of a configuration in a sentence.
func spoken(name string) string {
	switch name {
	case StockName:
		return "the stock configuration"
	case CurrentName:
		return "your configuration"
	case AdvisedName:
		return "the advised configuration"
	}
	return name
}

// word is the outcome for a person.
func (v Verdict) word() string {
	switch v.Outcome {
	case stats.Better:
		if !v.Announced {
			return "better, but by less than can be relied on here"
		}
	case stats.Undecided:
		if v.MoreBlocks > 0 {
			return fmt.Sprintf("undecided, about %d more blocks would decide", v.MoreBlocks)
		}
	}
	return string(v.Outcome)
}

// certainty says how sure the verdict is.
func (o Outcome) certainty() string {
	if len(o.Verdicts) == 0 {
		return "Nothing is sure before the confirmation."
	}
	v := o.Verdicts[0]
	text := fmt.Sprintf("This is from %d fresh blocks that took no part in choosing it, with intervals of 95 %%; a true gain of %.1f %% would be found with 80 %% power",
		v.Blocks, 100*o.DetectionLimit)
	if o.Calibration != nil {
		text += fmt.Sprintf(" (the same configuration varies by %.1f %% from run to run)", 100*o.Calibration.CV)
	}
	return text + "."
}
