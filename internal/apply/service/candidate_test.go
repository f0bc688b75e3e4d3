package service

import (
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/fbconf"
)

func parsed(t *testing.T, text string) *fbconf.File {
	t.Helper()
	dialect, err := fbconf.ParseDialect("4.0.5")
	if err != nil {
		t.Fatal(err)
	}
	return fbconf.Parse([]byte(text), fbconf.Options{Name: "/etc/firebird.conf", Dialect: dialect})
}

// A trial has its own settings, nothing else that a load feels, and all that
// ties the file to its server.
func TestCandidate(t *testing.T) {
	s := Server{base: parsed(t, "# ours\r\nRemoteServicePort = 3051\r\ntempcachelimit = 1G\r\nWireCrypt = Disabled\r\n"+
		"AuthServer = Legacy_Auth\r\nTempDirectories = /big\r\nLockHashSlots = 101\r\nMaxUserTraceLogSize = 5\r\n#DefaultDbCachePages = 2048\r\n")}
	got, err := s.candidate(map[string]string{confgen.ServerMode: "Classic", "LOCKHASHSLOTS": "8191", confgen.DefaultDbCachePages: "75"})
	if err != nil {
		t.Fatal(err)
	}
	file := parsed(t, string(got))
	for name, want := range map[string]string{
		confgen.ServerMode: "Classic", confgen.LockHashSlots: "8191", confgen.DefaultDbCachePages: "75", confgen.TempCacheLimit: "",
		"RemoteServicePort": "3051", "WireCrypt": "Disabled", "AuthServer": "Legacy_Auth", "TempDirectories": "/big", "MaxUserTraceLogSize": "5",
	} {
		if line, set := file.Lookup(name); line.Value != want || set != (want != "") {
			t.Errorf("%s is %q (%t), want %q in\n%s", name, line.Value, set, want, got)
		}
	}
	if !strings.HasPrefix(string(got), "# ours\r\n") || string(s.base.Bytes()) == string(got) {
		t.Errorf("candidate\n%s", got)
	}
	if _, err := s.candidate(map[string]string{confgen.GCPolicy: "a\nb"}); err == nil {
		t.Error("a value of two lines is written")
	}
}

func TestAddress(t *testing.T) {
	for text, want := range map[string][2]string{
		"": {"127.0.0.1:3050", "127.0.0.1/3050:"},
		"RemoteServicePort = 3051\nRemoteBindAddress = 10.0.0.7\n": {"10.0.0.7:3051", "10.0.0.7/3051:"},
		"RemoteServicePort = 0\nRemoteBindAddress = 0.0.0.0\n":     {"127.0.0.1:3050", "127.0.0.1/3050:"},
		"RemoteBindAddress = ::1\n":                                {"[::1]:3050", "[::1]/3050:"},
	} {
		got := address(parsed(t, text))
		if got != want[0] || isqlHost(got) != want[1] {
			t.Errorf("%q: %s, isql %s, want %v", text, got, isqlHost(got), want)
		}
	}
}
