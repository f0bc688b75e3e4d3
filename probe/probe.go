package probe

import (
	"context"
	"io/fs"
	"time"
)

// System is the machine that Read looks at. The zero System is the running
// machine through gopsutil's portable calls; [Live] gives the best there is.
type System struct {
	// FS is the root directory of a Linux machine, live or captured: /proc,
	// /sys and /etc are read from it. Nil where there is none.
	FS fs.FS

	// Space returns the size of the file system under path and the part
	// free to an unprivileged user. Nil leaves them unknown.
	Space func(path string) (total, free Bytes, err error)

	// Resolve returns path absolute and with symbolic links followed, as far
	// as it exists. Nil takes path as it is.
	Resolve func(path string) (string, error)

	// Sample is how long processes are watched for heavy I/O; 0 leaves that
	// unknown.
	Sample time.Duration

	// SMART asks a disk (sda) for its health and returns it as smartctl
	// --json prints it, see [Smartctl]. Nil leaves it unknown.
	SMART func(ctx context.Context, disk string) ([]byte, error)
}

// watched is how long [Closely] watches processes.
const watched = 500 * time.Millisecond

// Closely returns the running machine like [Live], and takes the time to watch
// its processes and to ask its disks.
func Closely() System {
	s := Live()
	s.Sample, s.SMART = watched, Smartctl
	return s
}

// Read learns what the machine is and what lies under path, the directory
// where databases are kept.
//
// A fact that cannot be learned is absent with its reason and no error. The
// error is about memory only, without which nothing can be advised: when it is
// absent or absurd, Read returns what else it found and an error that says how
// to state the memory by hand ([*MemoryError]), or ctx's error.
func Read(ctx context.Context, sys System, path string) (Host, error) {
	if err := ctx.Err(); err != nil {
		return Host{}, err
	}
	if sys.FS == nil {
		return readPortable(ctx, sys, path)
	}
	return readLinux(ctx, sys, path)
}
