package private_test

import (
	"strings"
	"testing"

	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/firebirdtest"
)

// A tool connects to the server as its user, without being told a password.
func TestClientConnects(t *testing.T) { firebirdtest.Each(t, toolConnects) }

func toolConnects(t *testing.T, inst firebird.Installation) {
	s, path := firebirdtest.Started(t, inst, nil)
	cmd := s.Client(t.Context(), inst.Isql(), "-quiet", "-bail", strings.Replace(s.Target("").Addr, ":", "/", 1)+":"+path)
	cmd.Stdin = strings.NewReader("SELECT TRIM(CURRENT_USER) || MON$REMOTE_PROTOCOL FROM MON$ATTACHMENTS WHERE MON$ATTACHMENT_ID = CURRENT_CONNECTION;\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "SYSDBATCP") {
		t.Errorf("isql over TCP: %s, %v; want SYSDBATCP", out, err)
	}
}
