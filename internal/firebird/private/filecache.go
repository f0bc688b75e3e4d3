package private

import (
	"bytes"
	"context"
	"fmt"
	"strings"
)

// HoldsFiles reports whether the cap holds what the system caches of the
// databases too: it was asked for in [Options], and this machine's kind of cap
// can.
func (s *Server) HoldsFiles() bool { return s.files }

// Warm has a database that is on the disk cached below the cap, as far as the
// cap has room. The kernel counts a page for the group of whoever touches it
// first, and keeps it there: so what others cached of the file, such as the
// program that wrote it, is dropped before it is read.
func (s *Server) Warm(ctx context.Context, path string) error {
	if err := Uncache(path); err != nil {
		return err
	}
	var failed bytes.Buffer
	cmd := s.below(ctx, "cat", "--", path)
	cmd.Stderr = &failed
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("read %s below the memory cap: %s (%w)", path, strings.TrimSpace(failed.String()), err)
	}
	return nil
}
