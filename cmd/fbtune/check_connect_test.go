package main

import (
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// A server that is only asked is checked by what it says is in force, where it
// says that.
func TestCheckConnect(t *testing.T) {
	firebirdtest.Each(t, func(t *testing.T, inst firebird.Installation) {
		s, path := firebirdtest.Started(t, inst, map[string]string{confgen.DefaultDbCachePages: "66000"}) // from 65536 on with O_DIRECT
		target := s.Target(path)
		t.Setenv("ISC_USER", target.User)
		t.Setenv("ISC_PASSWORD", target.Password)
		out, err := captured(t.Context(), t, "check", "--json", "--connect", target.Addr+path)
		valid(t, "check", out)
		var result struct {
			Findings []struct{ Rule string }
			Servers  []struct{ Notes []string }
		}
		if err := json.Unmarshal([]byte(out), &result); err != nil {
			t.Fatal(err)
		}
		told := inst.Version.AtLeast(configtable.First)
		direct := slices.ContainsFunc(result.Findings, func(f struct{ Rule string }) bool { return f.Rule == "o-direct" })
		untold := strings.Contains(strings.Join(result.Servers[0].Notes, "\n"), "does not tell it")
		if code := exitCode(err, io.Discard); direct != told || untold == told || (code == exitFindings) != told {
			t.Errorf("exit code %d (%v), findings %+v, servers %+v", code, err, result.Findings, result.Servers)
		}
		if _, err := captured(t.Context(), t, "check", "--connect", target.Addr+path, "firebird.conf"); exitCode(err, io.Discard) != exitUsage {
			t.Errorf("a file and a server: %v", err)
		}
	})
}
