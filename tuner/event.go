package tuner

import (
	"fmt"
	"time"

	"github.com/fbtune/fbtune/workload"
)

// Kind is what an event tells.
type Kind string

// Kinds of events, in the order in which a sweep emits them.
const (
	EventNote       Kind = "note"       // Message is for a person
	EventPlan       Kind = "plan"       // Plan, Tuning or Growth, and Environment, are what will be measured
	EventLoad       Kind = "load"       // Done of Total rows or indexes of the golden copy are made
	EventLoaded     Kind = "loaded"     // of a growth: Loading is how the database of Cell was loaded
	EventLoadChosen Kind = "calibrated" // Load is how the trials after the calibration are driven
	EventBudget     Kind = "budget"     // of a tuning, after its calibration: Budget says how its trials are shared out
	EventTrial      Kind = "trial"      // a trial begins: Cell, Block, Order
	EventPhase      Kind = "phase"      // the trial has come to Phase
	EventTick       Kind = "tick"       // a second of the load has passed: Tick
	EventResult     Kind = "result"     // the trial ended: Trial
	EventSuperseded Kind = "superseded" // a block is run again by Worker: what others measured in it does not count
	EventEnd        Kind = "end"        // nothing more will come; Message is why when it was cut short
)

// Event is one thing that happened. Fields that do not belong to its kind are
// zero.
type Event struct {
	Time    time.Time `json:"time"`
	Kind    Kind      `json:"event"`
	Message string    `json:"message,omitempty"`

	Plan        *Plan        `json:"plan,omitempty"`   // of a sweep
	Tuning      *Tuning      `json:"tuning,omitempty"` // of a tuning
	Growth      *Growth      `json:"growth,omitempty"` // of a growth
	Budget      *Budget      `json:"budget,omitempty"`
	Load        *Load        `json:"load,omitempty"`
	Environment *Environment `json:"environment,omitempty"`

	Phase string `json:"phase,omitempty"`
	Done  int64  `json:"done,omitempty"`
	Total int64  `json:"total,omitempty"`

	Cell   string `json:"cell,omitempty"`
	Stage  Stage  `json:"stage,omitempty"`
	Block  int    `json:"block,omitempty"`  // from 0
	Order  int    `json:"order,omitempty"`  // from 0
	Worker string `json:"worker,omitempty"` // where several work on the study

	Tick  *workload.Tick `json:"tick,omitempty"`
	Trial *Trial         `json:"trial,omitempty"`
	// Loading is of EventLoaded.
	Loading *Loading `json:"loading,omitempty"`
	// Replayed is true for the result of a trial, and for a load, that an
	// earlier run of the study measured.
	Replayed bool `json:"replayed,omitempty"`
}

// Sink takes events, one at a time, in order. It must not block: what it does
// delays the sweep, though never an operation that is being measured.
type Sink func(Event)

// emit sends an event stamped with the present time.
func (s Sink) emit(e Event) {
	if s != nil {
		e.Time = time.Now()
		s(e)
	}
}

// Note tells a person something.
func (s Sink) Note(format string, args ...any) {
	s.emit(Event{Kind: EventNote, Message: fmt.Sprintf(format, args...)})
}

// Phases of a trial besides the workload's own, which come after PhaseVerify.
const (
	PhaseReset  = "reset"
	PhaseStart  = "start"
	PhaseVerify = "verify"
	PhaseCheck  = "check"
	PhaseStop   = "stop"
)
