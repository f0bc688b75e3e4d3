package tuner

import (
	"fmt"
	"time"
)

// candidateError is the fault of a configuration.
type candidateError struct{ reason string }

func (e *candidateError) Error() string { return e.reason }

func fault(format string, args ...any) error {
	return &candidateError{reason: fmt.Sprintf(format, args...)}
}

// blame turns the error of a call on the running server into the server's own
// reason when it died, and into the candidate's fault in any case.
func (b *Bench) blame(err error, what string) error {
	if died := b.diedSoon(); died != nil {
		return fault("%s: %v", what, died)
	}
	if log := b.server.Running().Log(); log != "" {
		return fault("%s: %v\nfirebird.log ends:\n%s", what, err, log)
	}
	return fault("%s: %v", what, err)
}

// How long a death may go unnoticed, and how often is looked.
const (
	deathNotice = 500 * time.Millisecond
	deathPause  = 10 * time.Millisecond
)

// diedSoon is the server's Died for a connection that just broke: a server that
// was killed is known to be dead a moment after its clients notice.
func (b *Bench) diedSoon() error {
	for end := time.Now().Add(deathNotice); time.Now().Before(end); time.Sleep(deathPause) {
		if died := b.server.Died(); died != nil {
			return died
		}
	}
	return nil
}
