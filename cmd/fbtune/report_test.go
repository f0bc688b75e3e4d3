package main

import (
	"io"
	"testing"
)

func TestReportUsage(t *testing.T) {
	useHome(t)
	for _, args := range [][]string{{"report"}, {"report", "a", "b"}, {"report", "no-such-study"}, {"report", "a", "--format", "pdf"}, {"report", "a", "--format", "csv"}} {
		_, err := captured(t.Context(), t, args...)
		if code := exitCode(err, io.Discard); code != exitUsage {
			t.Errorf("%v exits %d, want %d", args, code, exitUsage)
		}
	}
}
