package private

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"sync"
	"time"

	"github.com/fbtune/fbtune/internal/firebird/memcap"
)

// process is the command a server was started by, with all it started.
type process struct {
	cmd    *exec.Cmd
	output lockedBuffer
	done   chan struct{} // closed once the command was waited for
	err    error         // of the wait; valid after done

	stopGuards context.CancelFunc
	guards     sync.WaitGroup

	mu    sync.Mutex
	blame error // why a guard killed it
}

// lockedBuffer collects what a program prints while others read it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// launch starts argv with the environment and nothing on standard input: a
// server whose input is a socket believes inetd started it.
func launch(argv, env []string) (*process, error) {
	p := &process{done: make(chan struct{})}
	p.cmd = exec.Command(argv[0], argv[1:]...)
	p.cmd.Env = env
	p.cmd.Dir = "/"
	p.cmd.Stdout, p.cmd.Stderr = &p.output, &p.output
	p.cmd.WaitDelay = time.Second
	detach(p.cmd)
	started := make(chan error, 1)
	go func() {
		// The kernel ties the signal at the parent's death to the thread that
		// started the child, so that thread must live as long as the child.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.err = p.cmd.Wait()
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", argv[0], err)
	}
	return p, nil
}

// guard starts what may kill the process: the cap's watch and, unless waiting
// for memory is expected, the watch over memory pressure.
func (p *process) guard(c memcap.Cap, waits bool) {
	ctx, cancel := context.WithCancel(context.Background())
	p.stopGuards = cancel
	p.guards.Go(func() { c.Watch(ctx, p.cmd.Process.Pid) })
	if !waits {
		p.guards.Go(func() { p.watchPressure(ctx, c.Limit()) })
	}
}

// accuse kills the process for a reason.
func (p *process) accuse(reason error) {
	p.mu.Lock()
	if p.blame == nil {
		p.blame = reason
	}
	p.mu.Unlock()
	p.kill()
}

// blamed returns the reason a guard killed the process for, or nil.
func (p *process) blamed() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.blame
}

// tree returns the ids of the command and all it started.
func (p *process) tree() []int { return memcap.Tree(p.cmd.Process.Pid) }

// kill ends the command and all it started at once.
func (p *process) kill() { memcap.Kill(p.tree()) }

// exited reports whether the command has ended.
func (p *process) exited() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// end stops the guards and waits for the command, which was told to end.
func (p *process) end(ctx context.Context) error {
	select {
	case <-p.done:
	case <-ctx.Done():
		return fmt.Errorf("wait for the server to end: %w", context.Cause(ctx))
	}
	if p.stopGuards != nil {
		p.stopGuards()
		p.guards.Wait()
	}
	return nil
}
