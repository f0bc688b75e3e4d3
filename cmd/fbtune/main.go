// Command fbtune advises, measures and tunes the configuration of Firebird
// servers.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := interruptible(context.Background())
	defer stop()
	os.Exit(exitCode(newEnv().run(ctx, os.Args[1:]), os.Stderr))
}

// interruptible returns a context that the first SIGINT, SIGTERM or SIGHUP
// cancels with errInterrupted as its cause. The second ends the process at
// once; what it started is ended by the kernel, and cleaned up by the next run.
func interruptible(parent context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	go func() {
		<-signals
		cancel(errInterrupted)
		<-signals
		os.Exit(exitInterrupted)
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel(nil)
	}
}
