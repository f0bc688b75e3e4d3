package running

import (
	"os"
	"strings"

	"github.com/fbtune/fbtune/internal/firebird"
)

func (s *Server) logSize() int64 {
	info, err := os.Stat(s.LogFile)
	if err != nil {
		return 0
	}
	return info.Size()
}

// logTail is how much of a log is worth showing.
const logTail = 4 << 10

// FullLog returns what the server logged since its last start.
func (s *Server) FullLog() string {
	data, err := os.ReadFile(s.LogFile)
	if err != nil || int64(len(data)) < s.logMark {
		return "" // it wrote none, or its directory is closed
	}
	return string(data[s.logMark:])
}

// Log returns the end of [Server.FullLog], without entries that say nothing.
func (s *Server) Log() string {
	var kept strings.Builder
	head := ""
	for line := range strings.Lines(s.FullLog()) {
		switch {
		case strings.TrimSpace(line) == "" || strings.Contains(line, "IPV6_V6ONLY"): // harmless without IPv6
		case line[0] != '\t': // host and time, which begin an entry
			head = line
		default:
			kept.WriteString(head + line)
			head = ""
		}
	}
	text := strings.TrimSpace(kept.String())
	return text[max(0, len(text)-logTail):]
}

// Findings returns what the log since the last start says about the server.
func (s *Server) Findings() []firebird.LogFinding { return firebird.ScanLog(s.FullLog()) }
