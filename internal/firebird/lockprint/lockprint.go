// Package lockprint reads the header of a lock table as fb_lock_print prints it.
//
// It takes the forms of Firebird 2.5 to 5.0 (src/lock/print.cpp of each).
package lockprint

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// Table is the header of a lock table. Counts are since it was made, at the
// first attachment.
type Table struct {
	Length        confgen.Bytes `json:"length_bytes"`
	Used          confgen.Bytes `json:"used_bytes"`
	Owners        int64         `json:"owners"`   // attachments, and what the engine attaches for itself
	Acquires      int64         `json:"acquires"` // of the table, which one process has at a time
	AcquireBlocks int64         `json:"acquire_blocks"`
	Enqueues      int64         `json:"enqueues"` // locks asked for
	Rejects       int64         `json:"rejects"`
	Blocks        int64         `json:"blocks"`
	DeadlockScans int64         `json:"deadlock_scans"`
	Deadlocks     int64         `json:"deadlocks"`
	HashSlots     int64         `json:"hash_slots"`
	ShortestChain int64         `json:"shortest_chain"`
	AverageChain  float64       `json:"average_chain"` // of all slots, empty ones too; whole below 4.0, where nothing finer is printed
	LongestChain  int64         `json:"longest_chain"`
}

// MutexWait returns which part of the acquires had to wait, 0 to 1. It is 0
// before there was any.
func (t Table) MutexWait() float64 {
	if t.Acquires <= 0 {
		return 0
	}
	return min(1, float64(t.AcquireBlocks)/float64(t.Acquires))
}

// Since returns t with the counts of acquires since an earlier look at the same
// table, and t itself when that was another one.
func (t Table) Since(earlier Table) Table {
	if acquires, blocks := t.Acquires-earlier.Acquires, t.AcquireBlocks-earlier.AcquireBlocks; acquires >= 0 && blocks >= 0 {
		t.Acquires, t.AcquireBlocks = acquires, blocks
	}
	return t
}

// figures are the places of figures in the output.
var figures = []struct {
	pattern *regexp.Regexp
	fields  func(*Table) []any // *int64, *float64 or *confgen.Bytes, one a group
}{
	{regexp.MustCompile(`Length: *(\d+), Used: *(\d+)`), func(t *Table) []any { return []any{&t.Length, &t.Used} }},
	{regexp.MustCompile(`Enqs: *(\d+)`), func(t *Table) []any { return []any{&t.Enqueues} }},
	{regexp.MustCompile(`Rejects: *(\d+), Blocks: *(\d+)`), func(t *Table) []any { return []any{&t.Rejects, &t.Blocks} }},
	{regexp.MustCompile(`Deadlock scans: *(\d+), Deadlocks: *(\d+)`), func(t *Table) []any { return []any{&t.DeadlockScans, &t.Deadlocks} }},
	{regexp.MustCompile(`Acquires: *(\d+), Acquire blocks: *(\d+)`), func(t *Table) []any { return []any{&t.Acquires, &t.AcquireBlocks} }},
	{regexp.MustCompile(`Hash slots: *(\d+)`), func(t *Table) []any { return []any{&t.HashSlots} }},
	{regexp.MustCompile(`Hash lengths \(min/avg/max\): *(\d+)/ *(\d+)/ *(\d+)`), func(t *Table) []any { return []any{&t.ShortestChain, &t.AverageChain, &t.LongestChain} }},
}

// Lines that not every output has.
var (
	ownersLine       = regexp.MustCompile(`(?m)^\tOwners \((\d+)\):`) // "Owners: *empty*" without any
	distributionLine = regexp.MustCompile(`(?m)^\t\t(\d+|>) *: *(\d+)\t\(`)
)

// tableBegins is the first line of an output that has a table.
const tableBegins = "LOCK_HEADER BLOCK"

// errNoTable is the error of an output without a table, as of a database that
// nobody is attached to.
var errNoTable = errors.New("no lock table; it is there while somebody is attached, for the user that the server runs as")

// Parse reads what fb_lock_print printed.
func Parse(output string) (Table, error) {
	var t Table
	_, block, found := strings.Cut(output, tableBegins)
	if !found {
		return Table{}, fmt.Errorf("fb_lock_print printed %.120q: %w", strings.TrimSpace(output), errNoTable)
	}
	for _, f := range figures {
		match := f.pattern.FindStringSubmatch(block)
		if match == nil {
			return Table{}, fmt.Errorf("no %s in what fb_lock_print printed, %.200q; run the fb_lock_print of the server's own version", f.pattern, block)
		}
		for i, field := range f.fields(&t) {
			n, err := strconv.ParseInt(match[i+1], 10, 64)
			if err != nil {
				return Table{}, fmt.Errorf("read %.80q of fb_lock_print: %w", match[0], err)
			}
			switch into := field.(type) {
			case *int64:
				*into = n
			case *float64:
				*into = float64(n)
			case *confgen.Bytes:
				*into = confgen.Bytes(n)
			}
		}
	}
	if match := ownersLine.FindStringSubmatch(block); match != nil {
		n, err := strconv.ParseInt(match[1], 10, 64)
		if err != nil {
			return Table{}, fmt.Errorf("read %.80q of fb_lock_print: %w", match[0], err)
		}
		t.Owners = n
	}
	if exact, ok := averageOf(block); ok {
		t.AverageChain = exact
	}
	return t, nil
}

// averageOf computes the average chain from how many chains there are of each
// length, as 4.0 and later print it. The longest ones, from 20 on, stand in one
// line; with any of those there is no exact average.
func averageOf(block string) (average float64, ok bool) {
	var slots, locks float64
	for _, match := range distributionLine.FindAllStringSubmatch(block, -1) {
		chains, err := strconv.ParseFloat(match[2], 64)
		if err != nil || match[1] == ">" && chains > 0 {
			return 0, false
		}
		if match[1] == ">" {
			continue
		}
		length, err := strconv.ParseFloat(match[1], 64)
		if err != nil {
			return 0, false
		}
		slots, locks = slots+chains, locks+chains*length
	}
	if slots == 0 {
		return 0, false
	}
	return locks / slots, true
}
