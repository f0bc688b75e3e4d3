//go:build linux

package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/fbtune/fbtune/probe"
)

// A program that writes much is seen by probe while it does.
func TestProbeSeesHeavyIO(t *testing.T) {
	dd := exec.Command("dd", "if=/dev/zero", "of="+filepath.Join(t.TempDir(), "copy"), "bs=1M", "count=4000", "oflag=dsync", "status=none")
	if err := dd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = dd.Process.Kill() // it may have ended by itself
		_ = dd.Wait()         // ends with the signal
	})
	var object probeJSON
	if err := json.Unmarshal([]byte(capture(t, "probe", "--json")), &object); err != nil {
		t.Fatal(err)
	}
	busy := object.Host.Busy
	if !slices.ContainsFunc(busy.Value, func(b probe.Busy) bool { return b.PID == dd.Process.Pid && b.Name == "dd" && b.Write > 0 }) {
		t.Errorf("no dd of process %d in %s (%s)", dd.Process.Pid, busy, busy.Source)
	}
}
