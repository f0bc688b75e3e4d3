// Package trial has a private server of an installation say whether it would
// work with a configuration.
package trial

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// Options say what a trial runs with.
type Options struct {
	Installation firebird.Installation
	Dir          string        // where its private server lives
	Cap          confgen.Bytes // the most memory that may use
}

// Trial is a configuration that a server was tried with.
type Trial struct {
	Server    string        `json:"server"`    // version and build
	Isolation string        `json:"isolation"` // how it was kept apart
	Replaced  []Replacement `json:"replaced"`  // lines of the copy
	Notes     []string      `json:"notes"`     // what the trial could not show
	// Refused is why a server would not work with the configuration, in the
	// engine's own words where it has some; empty when it works.
	Refused string `json:"refused"`
}

// Texts are the files as they are to be, and the paths under which the server
// is to open them.
type Texts = compare.Texts

// Run starts a private server with a copy of the files and asks it a query. A
// refusal is in the trial; an error is a fault of the machine or of fbtune, or
// the end of ctx.
func Run(ctx context.Context, o Options, rules compare.Rules, t Texts) (_ Trial, err error) {
	fail := func(err error) (Trial, error) {
		return Trial{}, fmt.Errorf("try the configuration: %w", err)
	}
	if rules.Dialect.Legacy() {
		return fail(fmt.Errorf("fbtune runs Firebird from 3.0 on, not %s; put the files in place by hand", rules.Version))
	}
	if _, err := private.Sweep(ctx, o.Dir); err != nil {
		return fail(err)
	}
	server, err := private.New(ctx, private.Options{Installation: o.Installation, Dir: o.Dir, Cap: o.Cap})
	if err != nil {
		return fail(err)
	}
	defer func() { err = errors.Join(err, server.Close(context.WithoutCancel(ctx))) }()
	database := filepath.Join(server.Dir(), "trial.fdb")
	if err := server.CreateDatabase(ctx, database, pageSize); err != nil {
		return fail(err)
	}
	c := newCandidate(rules, t)
	done := Trial{Server: o.Installation.Build, Isolation: server.Isolation, Notes: append([]string{}, server.Notes...)}
	var root string
	err = server.StartFiles(ctx, database, func(own private.Belongings) (map[string][]byte, error) {
		root = own.Root
		return c.belong(own), nil
	})
	done.Replaced, done.Notes = c.replaced, append(done.Notes, c.notes...)
	var refusal *running.StartError
	switch {
	case ctx.Err() != nil:
		return fail(context.Cause(ctx))
	case errors.As(err, &refusal):
		// A person knows the file by where it is to lie.
		done.Refused = strings.ReplaceAll(refusal.Error(), root+string(filepath.Separator), c.dir+string(filepath.Separator))
		known := c.fatal() // an engine that crashes does not say why
		if first, _, _ := strings.Cut(known, "\n"); !strings.Contains(done.Refused, first) {
			done.Refused += "\n" + known
		}
		return done, nil
	case err != nil:
		return fail(err)
	}
	for _, finding := range server.Findings() {
		if finding.Fatal {
			done.Refused = finding.Means + ": " + finding.Text
		}
	}
	if done.Refused == "" {
		done.Refused = c.fault()
	}
	return done, stop(ctx, server)
}

// pageSize is that of the database a trial asks its query on.
const pageSize = 8192

// stopTime bounds the end of a trial.
const stopTime = time.Minute

func stop(ctx context.Context, server *private.Server) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	return server.Stop(ctx)
}
