package main

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/fbtune/fbtune/confgen/check"
)

func TestSettingsJSON(t *testing.T) {
	valid(t, "settings", capture(t, "settings", "--json"))
	valid(t, "settings", capture(t, "settings", "--json", "--firebird", "5.0.4"))
	valid(t, "settings", capture(t, "settings", "--json", "tempcachelimit"))
	valid(t, "settings", capture(t, "settings", "--json", "MaxTempBlobs"))
}

// write puts a file into a directory of the test's own and returns its path.
func write(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestShowJSON(t *testing.T) {
	conf := write(t, "firebird.conf", "TempCacheLimit = 64MB\nDefaultDbCachePages = 50K\n")
	valid(t, "show", capture(t, "show", "--json", "--conf", conf, "--firebird", "4.0.5"))
	broken := write(t, "firebird.conf", "LockMemSize = 4G\n")
	out, err := captured(t.Context(), t, "show", "--json", "--conf", broken, "--firebird", "4.0.5")
	if code := exitCode(err, io.Discard); code != exitFindings {
		t.Errorf("files that no server works with exit %d, want %d", code, exitFindings)
	}
	valid(t, "show", out)
}

// Without arguments the files of the installations of this machine are read.
func TestInstalledFilesJSON(t *testing.T) {
	useHome(t)
	valid(t, "show", capture(t, "show", "--json"))
	out, err := captured(t.Context(), t, "check", "--json")
	if code := exitCode(err, io.Discard); code != exitDone && code != exitFindings {
		t.Fatal(err)
	}
	valid(t, "check", out)
}

func TestCheckJSON(t *testing.T) {
	valid(t, "check-rules", capture(t, "check", "--rules", "--json"))
	clean := write(t, "firebird.conf", "ServerMode = Super\n#TempCacheLimit = 64MB\n")
	valid(t, "check", capture(t, "check", "--json", clean))
	dir := t.TempDir()
	for name, content := range map[string]string{
		"one/firebird.conf":  "TempCacheLimit = 64MB\nMaxParallelWorkers = 2\n",
		"one/databases.conf": "a = /a.fdb\n{ # here\nDefaultDbCachePages = 9000\n}\n",
		"one/plugins.conf":   "Plugin = Srp {\nModule = $(dir_plugins)/Srp\n}\n",
		"two/firebird.conf":  "DefaultDbCachePages = 100K\n",
		"two/aliases.conf":   "b = /b.fdb\n",
		"three/mine.conf":    "TempDirectories = \"/tmp\nServerMode = Classic\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := captured(t.Context(), t, "check", "--json", dir)
	if code := exitCode(err, io.Discard); code != exitFindings {
		t.Errorf("findings exit %d (%v), want %d", code, err, exitFindings)
	}
	valid(t, "check", out)
	var result struct {
		Findings []check.Finding
		Servers  []struct{ Conf, Databases, Firebird string }
	}
	if err := json.Unmarshal([]byte(out), &result); err != nil {
		t.Fatal(err)
	}
	if len(result.Servers) != 3 || len(result.Findings) == 0 {
		t.Fatalf("%d servers with %d findings, want 3", len(result.Servers), len(result.Findings))
	}
	worst := result.Servers[0]
	if filepath.Base(worst.Conf) != "mine.conf" || worst.Firebird != "3.0" || worst.Databases != "" {
		t.Errorf("worst %+v, want mine.conf", worst)
	}
	if second := result.Servers[1]; second.Conf != filepath.Join(dir, "one", "firebird.conf") || second.Databases != filepath.Join(dir, "one", "databases.conf") || second.Firebird != "5.0" {
		t.Errorf("second %+v, want the pair of one", second)
	}
	if f := result.Findings[0]; f.Severity != check.ServerDown || f.Line != 1 {
		t.Errorf("first finding %+v", f)
	}
}
