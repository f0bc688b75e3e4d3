package probe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
)

// smartReport is what is read of smartctl --json.
type smartReport struct {
	Smartctl struct {
		Messages []struct {
			String string `json:"string"`
		} `json:"messages"`
	} `json:"smartctl"`
	Status *struct {
		Passed bool `json:"passed"`
	} `json:"smart_status"`
	NVMe *struct {
		Used int64 `json:"percentage_used"`
	} `json:"nvme_smart_health_information_log"`
}

// Smartctl asks a disk for its health through the program smartctl of
// smartmontools, and returns what that prints as JSON. Its exit status tells
// of the disk's state and is no error as long as it printed.
func Smartctl(ctx context.Context, disk string) ([]byte, error) {
	const program = "smartctl"
	if _, err := exec.LookPath(program); err != nil {
		return nil, errors.New("smartctl is not in PATH; install smartmontools")
	}
	out, err := exec.CommandContext(ctx, program, "--json", "-H", "-A", "/dev/"+disk).Output()
	if len(out) == 0 && err != nil {
		return nil, fmt.Errorf("run smartctl: %w", err)
	}
	return out, nil
}

// readSMART asks a disk for its own verdict and its wear.
func readSMART(ctx context.Context, sys System, disk string) (passed Fact[bool], worn Fact[int64]) {
	if sys.SMART == nil {
		return missing[bool]("not asked"), missing[int64]("not asked")
	}
	out, err := sys.SMART(ctx, disk)
	var report smartReport
	if err == nil {
		err = json.Unmarshal(out, &report)
	}
	if err != nil {
		return missing[bool]("%v", err), missing[int64]("%v", err)
	}
	reason := "smartctl does not tell"
	for _, m := range report.Smartctl.Messages {
		reason = "smartctl: " + strings.TrimSpace(m.String)
	}
	passed, worn = missing[bool]("%s", reason), missing[int64]("%s", reason)
	if report.Status != nil {
		passed = known(report.Status.Passed, "smartctl smart_status.passed")
	}
	if report.NVMe != nil {
		worn = known(report.NVMe.Used, "smartctl percentage_used")
	}
	return passed, worn
}
