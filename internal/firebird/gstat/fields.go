package gstat

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// headerFields are the lines of the header, by their names.
var headerFields = map[string]func(*dbheader.Header, string) error{
	"Page size": func(h *dbheader.Header, text string) error {
		n, err := count(text)
		h.PageSize = confgen.Bytes(n)
		return err
	},
	"Page buffers": func(h *dbheader.Header, text string) error {
		n, err := count(text)
		h.PageBuffers = confgen.Pages(n)
		return err
	},
	"ODS version": func(h *dbheader.Header, text string) error {
		major, minor, _ := strings.Cut(text, ".")
		return errors.Join(set(&h.ODS.Major, major), set(&h.ODS.Minor, minor))
	},
	"Oldest transaction": func(h *dbheader.Header, text string) error { return set(&h.Transactions.Oldest, text) },
	"Oldest active":      func(h *dbheader.Header, text string) error { return set(&h.Transactions.OldestActive, text) },
	"Oldest snapshot":    func(h *dbheader.Header, text string) error { return set(&h.Transactions.OldestSnapshot, text) },
	"Next transaction":   func(h *dbheader.Header, text string) error { return set(&h.Transactions.Next, text) },
	"Sweep interval":     func(h *dbheader.Header, text string) error { return set(&h.SweepInterval, text) },
	"Database dialect":   func(h *dbheader.Header, text string) error { return set(&h.Dialect, text) },
	"Attributes": func(h *dbheader.Header, text string) error {
		for word := range strings.SplitSeq(text, ", ") {
			if attribute, known := attributes[word]; known {
				attribute(h)
			}
		}
		return nil
	},
}

// attributes are the words of the line of attributes.
var attributes = map[string]func(*dbheader.Header){
	"force write":                       func(h *dbheader.Header) { h.ForcedWrites = true },
	"no reserve":                        func(h *dbheader.Header) { h.NoReserve = true },
	"active shadow":                     func(h *dbheader.Header) { h.Shadow = true },
	"encrypted":                         func(h *dbheader.Header) { h.Encrypted = true },
	"crypt process":                     func(h *dbheader.Header) { h.Encrypting = true },
	"read only":                         func(h *dbheader.Header) { h.ReadOnly = true },
	string(dbheader.MultiUserShutdown):  func(h *dbheader.Header) { h.Shutdown = dbheader.MultiUserShutdown },
	string(dbheader.SingleUserShutdown): func(h *dbheader.Header) { h.Shutdown = dbheader.SingleUserShutdown },
	string(dbheader.FullShutdown):       func(h *dbheader.Header) { h.Shutdown = dbheader.FullShutdown },
	string(dbheader.BackupLock):         func(h *dbheader.Header) { h.Backup = dbheader.BackupLock },
	string(dbheader.BackupMerge):        func(h *dbheader.Header) { h.Backup = dbheader.BackupMerge },
	string(dbheader.ReadOnlyReplica):    func(h *dbheader.Header) { h.Replica = dbheader.ReadOnlyReplica },
	string(dbheader.ReadWriteReplica):   func(h *dbheader.Header) { h.Replica = dbheader.ReadWriteReplica },
}

// tableFields are the figures of a table, by their names in lower case; 2.5
// prints some in other lines, with other cases.
var tableFields = map[string]func(*Table) any{
	"data pages":              func(t *Table) any { return &t.DataPages },
	"pointer pages":           func(t *Table) any { return &t.PointerPages },
	"blob pages":              func(t *Table) any { return &t.BlobPages },
	"empty pages":             func(t *Table) any { return &t.EmptyPages },
	"average fill":            func(t *Table) any { return &t.Fill },
	recordsCounted:            func(t *Table) any { return &t.Records },
	"average record length":   func(t *Table) any { return &t.RecordBytes },
	"total versions":          func(t *Table) any { return &t.Versions },
	"average version length":  func(t *Table) any { return &t.VersionBytes },
	"max versions":            func(t *Table) any { return &t.MostVersions },
	"total fragments":         func(t *Table) any { return &t.Fragments },
	"average fragment length": func(t *Table) any { return &t.FragmentBytes },
}

// indexFields are the figures of an index.
var indexFields = map[string]func(*Index) any{
	"depth":               func(i *Index) any { return &i.Depth },
	"leaf buckets":        func(i *Index) any { return &i.LeafPages },
	"nodes":               func(i *Index) any { return &i.Nodes },
	"average node length": func(i *Index) any { return &i.NodeBytes },
	"average key length":  func(i *Index) any { return &i.packedKey },
	"compression ratio":   func(i *Index) any { return &i.packing },
	"average data length": func(i *Index) any { return &i.DataBytes },
	"total dup":           func(i *Index) any { return &i.Duplicates },
	"max dup":             func(i *Index) any { return &i.MostDuplicates },
}

// mostCounted is more than a database can have of anything: 2^32 pages of 2^15
// bytes.
const mostCounted = 1 << 47

// errFigure is the error of a figure that no database has.
var errFigure = errors.New("this is no figure of a database; save what gstat prints again")

// count reads a number of things.
func count(text string) (int64, error) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || n > mostCounted {
		return 0, errFigure
	}
	return n, nil
}

// set reads a figure as gstat prints it, "12", "3.50" or "47%", into a field:
// an *int, *int64 or *float64.
func set(field any, text string) (err error) {
	switch f := field.(type) {
	case *int:
		var n int64
		n, err = count(text)
		*f = int(n)
	case *int64:
		*f, err = count(text)
	case *float64:
		number, percent := strings.CutSuffix(text, "%")
		x, parsing := strconv.ParseFloat(number, 64)
		if parsing != nil || !(x >= 0 && x <= math.MaxInt32) {
			return errFigure
		}
		if percent {
			x /= 100
		}
		*f = x
	}
	return err
}
