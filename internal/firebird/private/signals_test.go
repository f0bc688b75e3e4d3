//go:build unix

package private_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

func TestStopOfAHungServer(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, _ := firebirdtest.Started(t, inst, nil)
		for _, pid := range s.Processes() {
			if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		noneLeft(t, s.Dir())
	})
}

func TestDeathIsNoticed(t *testing.T) {
	s, _ := firebirdtest.Started(t, firebirdtest.Installation(t), nil)
	if err := s.Died(); err != nil {
		t.Fatalf("a running server is called dead: %v", err)
	}
	for _, pid := range s.Processes() {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	for range 1000 {
		if s.Died() != nil {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Error("a killed server is not called dead")
}
