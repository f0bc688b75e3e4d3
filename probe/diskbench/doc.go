// Package diskbench measures how fast a disk reads, writes and flushes.
//
// A [Bench] is a file, written once in full with data that neither compresses
// nor repeats, on which the rows of [Tests] are measured: those people know
// from CrystalDiskMark, and those a Firebird waits for. Every operation is one
// synchronous call of one thread (fio calls this engine psync), so a queue
// depth of 32 is 32 threads with one operation each.
//
// The file lies in a directory of its own, which its owner holds locked and
// removes in the end; [Sweep] removes what killed runs left.
package diskbench
