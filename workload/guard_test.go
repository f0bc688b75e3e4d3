package workload

import (
	"errors"
	"strings"
	"testing"
)

func TestGuarded(t *testing.T) {
	if err := guarded(func() error { panic("broken") }); err == nil || !strings.Contains(err.Error(), "please report it: broken") || !strings.Contains(err.Error(), "guard_test.go") {
		t.Errorf("error of a panic: %v", err)
	}
	want := errors.New("failed")
	if err := guarded(func() error { return want }); !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
	}
}
