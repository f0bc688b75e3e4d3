package differential

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
	"github.com/fbtune/fbtune/internal/firebird/private"
	"github.com/fbtune/fbtune/internal/firebird/running"
)

// How many texts a server is started with.
const (
	shortServers = 10
	longServers  = 100
)

// TestServers starts servers with some of the texts: whether they serve, with
// how many page buffers, and with which exit status and words they do not.
func TestServers(t *testing.T) {
	probes := readProbes(t)
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		t.Parallel()
		e := newEngine(t, inst)
		left := shortServers
		if firebirdtest.Long() {
			left = longServers
		}
		fates := map[fate]int{}
		for in := range rounds(newGenerator(*seed+1, probes)) {
			f, err := e.serve(t.Context(), in)
			switch {
			case errors.As(err, &tooLarge{}) || errors.Is(err, errNotForServers):
				continue
			case err != nil:
				t.Errorf("%v: %v", in, err)
			}
			fates[f]++
			if left--; left == 0 {
				break
			}
		}
		t.Logf("Firebird %s: %v", inst.FullVersion(), fates)
		if fates[works] == 0 || fates[refuses] == 0 {
			t.Errorf("the texts are too much alike: %v", fates)
		}
	})
}

// rounds gives an input of each feature in turn, without end.
func rounds(g *generator) iter.Seq[input] {
	return func(yield func(input) bool) {
		for {
			for i, f := range features {
				o := []origin{fresh, mutated}[i%2]
				for in := range g.inputs(f, o) {
					if !yield(in) {
						return
					}
					break
				}
			}
		}
	}
}

// errNotForServers is the error of an input by which nothing is learnt of a
// server, or that would have it call another one.
var errNotForServers = errors.New("its name leads to no database")

// serve starts a server with an input, whose fate is returned. The error says
// where it did otherwise than foretold.
func (e *engine) serve(ctx context.Context, in input) (_ fate, err error) {
	var foretold answer
	attach := in.expanded(e.paths).attach
	started := e.server.StartFiles(ctx, attach, func(own private.Belongings) (map[string][]byte, error) {
		if err := e.write(in); err != nil {
			return nil, err
		}
		if foretold, err = e.foretell(in); err != nil {
			return nil, err
		}
		if foretold.fate == nowhere || foretold.fate == broken {
			return nil, errNotForServers
		}
		return serverFiles(own, in.expanded(e.paths)), nil
	})
	if started != nil {
		return foretold.fate, judgeEnd(in.kind, foretold, started)
	}
	defer func() { err = errors.Join(err, e.server.Stop(context.WithoutCancel(ctx))) }()
	if foretold.fate != works {
		return foretold.fate, fmt.Errorf("fbtune: it %s %q; the server works", foretold.fate, foretold.words)
	}
	pages, err := e.servedPages(ctx, attach)
	if err == nil && pages != foretold.pages {
		err = fmt.Errorf("fbtune: %d page buffers, the server: %d", foretold.pages, pages)
	}
	return works, err
}

// serverFiles are the files of an input, behind the lines that make them a
// private server's: of several, the first counts.
func serverFiles(own private.Belongings, in input) map[string][]byte {
	texts := map[string][]byte{
		fbconf.FirebirdConf.String(): fmt.Appendf(nil, "RemoteServicePort = %d\nRemoteBindAddress = %s\nSecurityDatabase = %s\nWireCrypt = Enabled\n",
			own.Port, own.Address, own.SecurityDatabase),
		fbconf.DatabasesConf.String(): nil,
	}
	texts[in.kind.String()] = append(texts[in.kind.String()], in.text...)
	return texts
}

// How a server ends that does not work, in the words of package private. One
// whose firebird.conf is at fault ends with status 2; one whose databases.conf
// is may also refuse every attachment; the shell that started one which crashed
// ends with 139.
const (
	exitsAtStart = "exit status 2"
	refusesAll   = "refuses every connection"
	crashed      = "exit status 139"
)

// judgeEnd compares how a server failed with what was foretold.
func judgeEnd(kind fbconf.Kind, foretold answer, failure error) error {
	var ended *running.StartError
	if !errors.As(failure, &ended) {
		return failure
	}
	said := ended.Error()
	words, _, _ := strings.Cut(foretold.words, "\n")
	asForetold := false
	switch foretold.fate {
	case refuses:
		status := strings.Contains(said, exitsAtStart) || kind == fbconf.DatabasesConf && strings.Contains(said, refusesAll)
		asForetold = status && strings.Contains(said, words)
	case dies:
		asForetold = strings.Contains(said, crashed)
	}
	if !asForetold {
		return fmt.Errorf("fbtune: it %s %q; the server: %s", foretold.fate, foretold.words, said)
	}
	return nil
}

// servedPages asks the running server for its page buffers.
func (e *engine) servedPages(ctx context.Context, database string) (pages int64, err error) {
	db, err := sql.Open("firebirdsql", e.server.Target(database).DSN())
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	err = db.QueryRowContext(ctx, "SELECT MON$PAGE_BUFFERS FROM MON$DATABASE").Scan(&pages)
	return pages, err
}
