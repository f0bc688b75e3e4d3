package diskbench

import (
	"fmt"

	"github.com/fbtune/fbtune/probe"
)

// Operation says what a test does.
type Operation string

// Operations.
const (
	Read  Operation = "read"
	Write Operation = "write"
)

// Pattern says where in the file the blocks of a test lie.
type Pattern string

// Patterns.
const (
	Sequential Pattern = "sequential" // one after the other, a stream that all workers share
	Random     Pattern = "random"     // any block, the same chance for each
	Append     Pattern = "append"     // behind the end of the file, which grows
)

// Mode says what an operation waits for.
type Mode string

// Modes.
const (
	// Direct goes past the file cache of the operating system, and waits for
	// the device.
	Direct Mode = "direct"
	// Dsync writes through the file cache, and waits until the data is on
	// stable storage: a file opened with O_DSYNC, which is what forced writes
	// are on Linux (Firebird's src/jrd/os/posix/unix.cpp).
	Dsync Mode = "dsync"
	// Fsync writes into the file cache and calls fsync after each write.
	Fsync Mode = "fsync"
)

// A Test is one way of reading or writing.
type Test struct {
	Name      string      `json:"name"` // unique together with Operation
	Operation Operation   `json:"operation"`
	Pattern   Pattern     `json:"pattern"`
	Mode      Mode        `json:"mode"`
	Block     probe.Bytes `json:"block_bytes"` // moved by one operation
	Workers   int         `json:"workers"`     // threads, each with one operation at a time
}

// String names the test for a person.
func (t Test) String() string { return fmt.Sprintf("%s %s", t.Name, t.Operation) }

// Names of the tests that are not in CrystalDiskMark.
const (
	PageWrite = "page, forced writes"
	Overwrite = "4 KiB overwritten, fsync"
	Grow      = "4 KiB appended, fsync"
)

// Tests returns the tests in the order in which they are run: the four rows of
// CrystalDiskMark's default profile (8.0: SEQ1M Q8T1, SEQ1M Q1T1, RND4K Q32T1,
// RND4K Q1T1), all reads before the writes, then what a Firebird with pages of
// pageSize waits for.
func Tests(pageSize probe.Bytes) []Test {
	rows := [...]Test{
		{Name: "SEQ1M Q8T1", Pattern: Sequential, Block: probe.MiB, Workers: 8},
		{Name: "SEQ1M Q1T1", Pattern: Sequential, Block: probe.MiB, Workers: 1},
		{Name: "RND4K Q32T1", Pattern: Random, Block: 4 * probe.KiB, Workers: 32},
		{Name: "RND4K Q1T1", Pattern: Random, Block: 4 * probe.KiB, Workers: 1},
	}
	var all []Test
	for _, operation := range [...]Operation{Read, Write} {
		for _, row := range rows {
			row.Operation, row.Mode = operation, Direct
			all = append(all, row)
		}
	}
	return append(all,
		Test{Name: PageWrite, Operation: Write, Pattern: Random, Mode: Dsync, Block: pageSize, Workers: 1},
		Test{Name: Overwrite, Operation: Write, Pattern: Random, Mode: Fsync, Block: 4 * probe.KiB, Workers: 1},
		Test{Name: Grow, Operation: Write, Pattern: Append, Mode: Fsync, Block: 4 * probe.KiB, Workers: 1},
	)
}
