package workload

import (
	"fmt"
	"runtime/debug"
)

// guarded runs what a goroutine of a run does, and makes a panic in it an error:
// the run then ends as after any failure, with its server stopped and the
// terminal of a person given back.
func guarded(f func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("a fault of fbtune, please report it: %v\n%s", p, debug.Stack())
		}
	}()
	return f()
}
