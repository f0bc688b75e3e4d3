package dbheader

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
)

// page makes a header page: numbers of 2 or 4 bytes by their offset in
// src/jrd/ods.h.
type page []byte

func newPage(major, minorAt, minor, size int) page {
	p := make(page, size)
	p[0] = 1
	p.set16(16, size)
	p.set16(18, major|0x8000)
	p.set16(minorAt, minor)
	return p
}

func (p page) set16(at, n int) page { binary.LittleEndian.PutUint16(p[at:], uint16(n)); return p }
func (p page) set32(at, n int) page { binary.LittleEndian.PutUint32(p[at:], uint32(n)); return p }

// put puts items of variable data: type, length, content.
func (p page) put(at int, items ...byte) page { copy(p[at:], items); return p }

// Parse reads every layout; those of 2.5 and 5.0 have no server here to make
// one, so these pages follow src/jrd/ods.h of B2_5_Release and v5.0.4.
func TestParse(t *testing.T) {
	for _, test := range []struct {
		name string
		page page
		want Header
	}{
		{
			"2.5", newPage(11, 62, 2, 4096).set32(28, 101).set32(32, 102).set32(76, 103).set32(36, 104).set32(68, 500).
				set16(42, 0x2|0x20|0x100|0x80).put(96, 1, 3, 'a', 'b', 'c', 6, 4, 0x10, 0x27, 0, 0, 0),
			Header{
				ODS: ODS{11, 2}, PageSize: 4096, PageBuffers: 500, SweepInterval: 10000, Dialect: 3, ForcedWrites: true, NoReserve: true, Shutdown: MultiUserShutdown,
				Transactions: Transactions{Oldest: 101, OldestActive: 102, OldestSnapshot: 103, Next: 104},
			},
		},
		{
			"2.5 read only, dialect 1", newPage(11, 62, 2, 1024).set16(42, 0x1|0x200|0x1000|0x800),
			Header{ODS: ODS{11, 2}, PageSize: 1024, SweepInterval: 20000, Dialect: 1, ReadOnly: true, Shadow: true, Shutdown: FullShutdown, Backup: BackupMerge},
		},
		{
			"3.0 past 32 bits", newPage(12, 64, 2, 16384).set32(28, 1).set32(32, 2).set32(72, 3).set32(36, 4).set16(124, 8).set16(126, 5).set16(128, 6).set16(130, 7).
				set16(42, 0x10|0x20|0x40|0x4|0x1080).put(132, 4, 4, 0, 0, 0, 0),
			Header{
				ODS: ODS{12, 2}, PageSize: 16384, Dialect: 3, ReadOnly: true, Encrypted: true, Encrypting: true, Shutdown: SingleUserShutdown,
				Transactions: Transactions{Oldest: 5<<32 + 1, OldestActive: 6<<32 + 2, OldestSnapshot: 7<<32 + 3, Next: 8<<32 + 4},
			},
		},
		{
			"5.0", newPage(13, 64, 1, 32768).set32(68, 1<<31).set32(36, 1<<32-1).set16(120, 0xffff).set16(42, 0x8|0x400|0x2000).
				put(128, 10, 16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 4, 4, 1, 0, 0, 0),
			Header{
				ODS: ODS{13, 1}, PageSize: 32768, PageBuffers: 1 << 31, SweepInterval: 1, Dialect: 1, NoReserve: true, Backup: BackupLock, Replica: ReadOnlyReplica,
				Transactions: Transactions{Next: 1<<48 - 1},
			},
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := Parse(test.page)
			if err != nil || got != test.want {
				t.Errorf("got  %+v (%v)\nwant %+v", got, err, test.want)
			}
		})
	}
}

// What is no header page is refused with a word on what it is.
func TestParseRefuses(t *testing.T) {
	good := func() page { return newPage(13, 64, 0, 8192) }
	for _, test := range []struct {
		name string
		page page
		want string
	}{
		{"empty", nil, "0 bytes are too short"},
		{"a text", page(strings.Repeat("SQL> SELECT * FROM ITEM; ", 100)), "no Firebird database"},
		{"zeroes", make(page, 8192), "no Firebird database"},
		{"a page of data", good().put(0, 5), "no Firebird database"},
		{"InterBase", good().set16(18, 15), "as InterBase writes it"},
		{"6.0", good().set16(18, 14|0x8000), "ODS 14 is not among those fbtune reads"},
		{"1.5", good().set16(18, 10|0x8000), "ODS 10 is not among those fbtune reads"},
		{"a page size of no version", good().set16(16, 12288), "the header is damaged"},
		{"a page size of another version", newPage(12, 64, 0, 32768), "pages of 32768 bytes are none of ODS 12"},
		{"cut off", good()[:4096], "4096 bytes are less than a page of 8192"},
		{"a second file", good().set16(40, 1), "it is file 2 of a database of several; name the first"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got, err := Parse(test.page); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%+v (%v), want an error with %q", got, err, test.want)
			}
		})
	}
}

// Items of variable data that lie about their length end the search.
func TestSweepIntervalOfDamagedData(t *testing.T) {
	for name, p := range map[string]page{
		"an item past the page":  newPage(13, 64, 0, 4096).put(128, 1, 255).put(128+257, 1, 255),
		"a short interval":       newPage(13, 64, 0, 4096).put(128, 4, 2, 9, 9, 0),
		"an interval at the end": fullTo(newPage(13, 64, 0, 4096), 4093).put(4093, 4, 4, 1),
	} {
		h, err := Parse(p)
		if err != nil || h.SweepInterval != DefaultSweepInterval {
			t.Errorf("%s: interval %d (%v), want the default", name, h.SweepInterval, err)
		}
	}
}

// fullTo fills a page with items that end before to.
func fullTo(p page, to int) page {
	for at := 128; at < to; {
		length := min(to-at-2, 200)
		if rest := to - at - 2 - length; rest == 1 {
			length-- // no item has one byte
		}
		p.put(at, 1, byte(length))
		at += 2 + length
	}
	return p
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(newPage(11, 62, 2, 1024)))
	f.Add([]byte(newPage(12, 64, 0, 4096).put(132, 4, 4, 0, 0, 0, 0)))
	f.Add([]byte(newPage(13, 64, 1, 4096).put(128, 1, 255)))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := Parse(data)
		if err == nil && (h.PageSize < 1024 || h.Transactions.Next < 0 || h.ODS.Major < 11) {
			t.Errorf("read %+v", h)
		}
	})
}

func TestReadRefuses(t *testing.T) {
	dir := t.TempDir()
	short := filepath.Join(dir, "100%short.fdb")
	if err := os.WriteFile(short, []byte("short"), 0o644); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir:                           "it is a directory",
		filepath.Join(dir, "absent"):  "no such file",
		short:                         "100%short.fdb: 5 bytes are too short",
		filepath.Join(short, "below"): "not a directory",
		"/dev/null":                   "no regular file",
	} {
		if _, err := Read(path); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

func TestODS(t *testing.T) {
	version := func(text string) confgen.Version {
		v, err := confgen.ParseVersion(text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	for _, test := range []struct {
		ods   ODS
		of    string // the oldest version that opens it
		by    []string
		notBy []string
	}{
		{ODS{11, 2}, "2.5", []string{"2.5", "2.5.9"}, []string{"2.1", "3.0"}},
		{ODS{12, 0}, "3.0", []string{"3.0", "3.0.11"}, []string{"2.5", "4.0"}},
		{ODS{12, 2}, "3.0", []string{"3.0.11"}, []string{"4.0", "5.0"}},
		{ODS{13, 0}, "4.0", []string{"4.0.5", "5.0"}, []string{"3.0", "6.0"}},
		{ODS{13, 1}, "5.0", []string{"5.0.4"}, []string{"4.0.5"}},
	} {
		if v, ok := test.ods.Firebird(); !ok || v.String() != test.of {
			t.Errorf("%s is of %s (%t), want %s", test.ods, v, ok, test.of)
		}
		for _, v := range test.by {
			if !test.ods.OpenedBy(version(v)) {
				t.Errorf("%s is not opened by %s", test.ods, v)
			}
		}
		for _, v := range test.notBy {
			if test.ods.OpenedBy(version(v)) {
				t.Errorf("%s is opened by %s", test.ods, v)
			}
		}
	}
	if v, ok := (ODS{99, 0}).Firebird(); ok {
		t.Errorf("ODS 99 is of %s", v)
	}
}
