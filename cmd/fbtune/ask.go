package main

import (
	"bufio"
	"context"
	"fmt"
	"strings"
)

// ask puts a question to the person at the terminal, and reports whether the
// answer was yes. The end of ctx is its cause; no answer at all is no.
func (e *env) ask(ctx context.Context, question string) (bool, error) {
	fmt.Fprint(e.stderr, question)
	answers := make(chan string, 1)
	go func() { // a read from a terminal cannot be stopped; it ends with the process
		line, _ := bufio.NewReader(e.stdin).ReadString('\n')
		answers <- line
	}()
	select {
	case <-ctx.Done():
		fmt.Fprintln(e.stderr)
		return false, context.Cause(ctx)
	case answer := <-answers:
		switch strings.ToLower(strings.TrimSpace(answer)) {
		case "y", "yes":
			return true, nil
		}
		return false, nil
	}
}
