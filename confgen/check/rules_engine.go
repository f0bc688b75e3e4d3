package check

import (
	"fmt"

	"github.com/fbtune/fbtune/confgen"
)

// engineRules are about how statements are worked through.
func engineRules() []Rule {
	return []Rule{
		{
			ID: "parallel-workers", Severity: Note, From: v50, find: perLine(parallelWorkers),
			About:  "workers that every process of Classic may have",
			Source: "50:src/common/config/config.cpp:432-436 (per process and database); issues 7389, 8928",
		},
		{
			ID: "gc-policy", Severity: Note, find: perView(gcPolicy),
			About:  "a garbage collection that SuperClassic and Classic do not have",
			Source: "50:src/jrd/jrd.cpp:7511-7532",
		},
		{
			ID: "statement-timeout", Severity: Warning, find: perView(statementTimeout),
			About:  "a timeout that costs memory for each statement",
			Source: "issue 8085 (fixed in 4.0.5 and 5.0.1)",
		},
		{
			ID: "audit-trace", Severity: Warning, find: perLine(auditTrace),
			About:  "a trace that runs as long as the server does",
			Source: "issue 8189 (slow connects)",
		},
		{
			ID: "unflushed-writes", Severity: Note, find: perView(unflushed),
			About:  "nothing that flushes the file when forced writes are off, on Windows",
			Source: "50:src/jrd/cch.cpp:1228-1262",
		},
	}
}

func parallelWorkers(s *subject, l line) (Finding, bool) {
	n, err := l.row.Number(s.Version, s.mode, l.Value)
	return Finding{}.does("write 2 to 4, or use Super", "lets each connection have %d workers in Classic, for each is a process of its own", n),
		l.row.Name == confgen.MaxParallelWorkers && s.mode == confgen.Classic && err == nil && n > 4
}

func gcPolicy(s *subject, v view) (Finding, bool) {
	in, _ := v.Get(confgen.GCPolicy)
	return at(in).does("delete the line", "is always cooperative in %s%s", s.mode, v.of()),
		in.Set && s.modeKnown && s.mode != confgen.Super && in.Means != "cooperative"
}

func statementTimeout(s *subject, v view) (Finding, bool) {
	timeout, in, known := v.number("StatementTimeout")
	leaks := suffers(s.Version, confgen.Version{Major: 4, Patch: 5}, confgen.Version{Major: 5, Patch: 1})
	f := at(in).does("upgrade to 4.0.5 or 5.0.1, or delete the line", "loses memory for each distinct statement that runs with a timeout, up to 4.0.4 and 5.0.0%s", v.of())
	if leaks == maybe {
		f = f.as(Note)
	}
	return f, known && in.Set && timeout > 0 && leaks != unaffected
}

func auditTrace(_ *subject, l line) (Finding, bool) {
	return Finding{}.does("delete the line when nobody reads the trace", "traces every connection with %s as long as the server runs, which slows connects and statements", l.Value),
		l.row.Name == "AuditTraceConfigFile" && l.Value != ""
}

func unflushed(s *subject, v view) (Finding, bool) {
	writes, in, _ := v.number(confgen.MaxUnflushedWrites)
	seconds, _, _ := v.number(confgen.MaxUnflushedWriteTime)
	return at(in).does("write 100 and MaxUnflushedWriteTime = 5, the defaults of Windows, or keep forced writes on", "never flushes the file%s by itself when forced writes are off: what is lost in a crash is lost for good", v.of()),
		in.Set && s.Windows && writes < 0 && seconds < 0
}

// engineOf is the provider that opens databases of a version.
func engineOf(v confgen.Version) string {
	switch {
	case v.AtLeast(confgen.Version{Major: 6}):
		return "Engine14"
	case v.AtLeast(v40):
		return "Engine13"
	}
	return "Engine12"
}

// securityFile is the name of the security database of a version.
func securityFile(v confgen.Version) string { return fmt.Sprintf("security%d.fdb", v.Major) }
