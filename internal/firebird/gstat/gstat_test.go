package gstat

import (
	"bytes"
	"cmp"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// parsed reads an output of testdata. Those of 2.5 and 5.0 are written in the
// forms of their sources; those of 3.0.11 and 4.0.5 were printed by real ones for a
// database made for it, with the file named anew.
func parsed(t *testing.T, name string) Statistics {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := Parse(f)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestOf25(t *testing.T) {
	s := parsed(t, "2.5-r.txt")
	header := dbheader.Header{
		ODS: dbheader.ODS{Major: 11, Minor: 2}, PageSize: 4096, PageBuffers: 500, SweepInterval: 0, Dialect: 3, ForcedWrites: true, NoReserve: true,
		Transactions: dbheader.Transactions{Oldest: 127641, OldestActive: 257007, OldestSnapshot: 257007, Next: 257008},
	}
	if s.Header != header || s.Database != "/data/erp.fdb" || !s.Pages || !s.Records || len(s.Doubts) != 0 {
		t.Errorf("%+v", s)
	}
	tables := []Table{
		{Name: "ORDERS", Size: 2100 * 4096, DataPages: 2100, Fill: 0.81, Records: 62372, RecordBytes: 96.55, Versions: 70000, VersionBytes: 9.5, MostVersions: 250},
		{Name: `Zone of "a (b), c"`},
	}
	if !slices.Equal(s.Tables, tables) {
		t.Errorf("tables %+v", s.Tables)
	}
	indices := []Index{
		{Table: "ORDERS", Name: "ORDERS_NOTE", Size: 5200 * 4096, Depth: 4, LeafPages: 5200, Nodes: 132372, DataBytes: 140.25, Duplicates: 70000, MostDuplicates: 12, Selectivity: 1. / 62372, CurePageSize: 16384},
		{Table: "ORDERS", Name: "PK_ORDERS", Size: 150 * 4096, Depth: 2, LeafPages: 150, Nodes: 62372, DataBytes: 1.02, Selectivity: 1. / 62372},
		{Table: `Zone of "a (b), c"`, Name: "RDB$PRIMARY2", Size: 4096, Depth: 1, LeafPages: 1},
	}
	if !slices.Equal(s.Indices, indices) {
		t.Errorf("indices %+v", s.Indices)
	}
}

func TestOf50(t *testing.T) {
	s := parsed(t, "5.0-r.txt")
	header := dbheader.Header{
		ODS: dbheader.ODS{Major: 13, Minor: 1}, PageSize: 16384, SweepInterval: 12345, Dialect: 3, ForcedWrites: true,
		Shutdown: dbheader.MultiUserShutdown, Backup: dbheader.BackupLock, Replica: dbheader.ReadOnlyReplica,
		Transactions: dbheader.Transactions{Oldest: 800, OldestActive: 801, OldestSnapshot: 801, Next: 850},
	}
	if s.Header != header {
		t.Errorf("header %+v", s.Header)
	}
	if len(s.Doubts) != 1 || !strings.Contains(s.Doubts[0], "Expected data on page 4711") {
		t.Errorf("doubts %q", s.Doubts)
	}
	tables := []Table{{
		Name: "DOCUMENTS", Size: (1 + 50 + 6000) * 16384, DataPages: 50, PointerPages: 1, BlobPages: 6000, EmptyPages: 3, Fill: 0.76,
		Records: 5000, RecordBytes: 120, Fragments: 40, FragmentBytes: 900.5,
	}}
	if !slices.Equal(s.Tables, tables) {
		t.Errorf("tables %+v", s.Tables)
	}
	if len(s.Indices) != 1 {
		t.Fatalf("indices %+v", s.Indices)
	}
	i := s.Indices[0]
	if i.Name != "PK_DOCUMENTS" || i.Depth != 2 || i.LeafPages != 3 || i.Nodes != 5000 || i.NodeBytes != 5.1 || i.DataBytes != 1.2 || math.Abs(i.KeyBytes-5.5) > 1e-9 {
		t.Errorf("index %+v", i)
	}
}

// What real servers printed for one database: a header with no attribute, a
// table with blobs whose name has a blank, a bracket and a comma.
func TestOfRealServers(t *testing.T) {
	for name, want := range map[string]struct {
		ods     dbheader.ODS
		records bool
		pages   [4]int64 // of DEEP, BULK, "Zone (a), b" and HOT
		blobs   int64
	}{
		"3.0-r.txt": {dbheader.ODS{Major: 12}, true, [4]int64{96, 80, 2, 1}, 3},
		"3.0-a.txt": {dbheader.ODS{Major: 12}, false, [4]int64{96, 80, 2, 1}, 0},
		"4.0-r.txt": {dbheader.ODS{Major: 13}, true, [4]int64{104, 88, 2, 1}, 3},
	} {
		t.Run(name, func(t *testing.T) {
			s := parsed(t, name)
			if h := s.Header; h.ODS != want.ods || h.PageSize != 8192 || h.ForcedWrites || h.SweepInterval != dbheader.DefaultSweepInterval || h.Dialect != 3 || h.Transactions.Next == 0 {
				t.Errorf("header %+v", h)
			}
			if !s.Pages || s.Records != want.records || len(s.Doubts) != 0 || len(s.Tables) != 4 || len(s.Indices) != 4 {
				t.Fatalf("%+v", s)
			}
			for i, table := range []string{"DEEP", "BULK", "Zone (a), b", "HOT"} {
				got := s.Tables[i]
				if got.Name != table || got.DataPages != want.pages[i] || got.PointerPages != 1 || got.Fill == 0 {
					t.Errorf("table %d is %+v, want %s of %d pages", i, got, table, want.pages[i])
				}
				if counted := map[string]int64{"DEEP": 12_000, "BULK": 10_000, "Zone (a), b": 2, "HOT": 1}[table]; want.records && got.Records != counted || !want.records && got.Records != 0 {
					t.Errorf("%s has %d records, want %d", table, got.Records, counted)
				}
			}
			if zone, hot := s.Tables[2], s.Tables[3]; zone.BlobPages != want.blobs || want.records != (hot.Versions == 1 && hot.MostVersions == 1 && hot.VersionBytes == 9) {
				t.Errorf("blobs %+v, versions %+v", zone, hot)
			}
			if i := s.Indices[0]; i.Table != "DEEP" || i.Name != "DEEP_K" || i.Depth != 3 || i.LeafPages != 316 || i.Nodes != 12_000 || math.Abs(i.KeyBytes-200.5) > 1 || i.CurePageSize != 0 {
				t.Errorf("index %+v", i)
			}
		})
	}
	if s := parsed(t, "4.0-h.txt"); s.Pages || s.Header.PageSize != 8192 {
		t.Errorf("-h: %+v", s)
	}
}

// An output as the services API and Windows give it reads the same, and one of
// -h has the header alone.
func TestForms(t *testing.T) {
	raw, err := os.ReadFile("testdata/5.0-r.txt")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(raw)
	want := parsed(t, "5.0-r.txt")
	for name, ends := range map[string]string{"services": " \n", "Windows": "\r\n"} {
		got, err := Parse(strings.NewReader(strings.ReplaceAll(whole, "\n", ends)))
		if err != nil || !slices.Equal(got.Tables, want.Tables) || !slices.Equal(got.Indices, want.Indices) || got.Header != want.Header {
			t.Errorf("%s: %+v (%v)", name, got, err)
		}
	}
	head, _, _ := strings.Cut(whole, "Database file sequence")
	if got, err := Parse(strings.NewReader(head + completedAt)); err != nil || got.Header != want.Header || got.Pages || got.Records || len(got.Doubts) != 0 {
		t.Errorf("-h: %+v (%v)", got, err)
	}
	cut, _, _ := strings.Cut(whole, "    Index PK")
	got, err := Parse(strings.NewReader(cut))
	if err != nil || len(got.Tables) != 1 || len(got.Indices) != 0 || len(got.Doubts) != 2 || !strings.Contains(got.Doubts[1], "has no end") {
		t.Errorf("cut off: %+v (%v)", got, err)
	}
}

func TestParseRefuses(t *testing.T) {
	for output, want := range map[string]string{
		"": "no header of a database",
		"Wrong ODS version, expected 12, encountered 13\n": "which begins with \"Wrong ODS version",
		headerBegins + "\n\tPage size\t\tabc\n":            "line 2",
		headerBegins + "\n\tPage size\t\t-1\n":             "no figure of a database",
		headerBegins + "\n\tPage size\t\t8192\n\tODS version\t\t12.0\n" + pagesBegin + "\nT (1)\n    Data pages: 1, average fill: NaN%\n": "line 6",
	} {
		if got, err := Parse(strings.NewReader(output)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %+v (%v), want an error with %q", output, got, err, want)
		}
	}
}

// The depth at the size an index has is what it is; larger pages never make it
// deeper; and known trees come out right.
func TestDepthAt(t *testing.T) {
	for _, test := range []struct {
		name        string
		index       Index
		page, other confgen.Bytes
		want        int
	}{
		// 4 entries a page everywhere: 64 leaves are 4 levels; 8 a page make 32 leaves, and 3.
		{"long keys", Index{Depth: 4, LeafPages: 64, Nodes: 256, NodeBytes: 1000, KeyBytes: 988}, 4096, 8192, 3},
		{"the same size", Index{Depth: 4, LeafPages: 64, Nodes: 256, NodeBytes: 1000, KeyBytes: 988}, 4096, 4096, 4},
		// 1,000,000 leaves under pages of about 200 entries.
		{"large, one size up", Index{Depth: 4, LeafPages: 1_000_000, Nodes: 300_000_000, NodeBytes: 13, KeyBytes: 8}, 4096, 8192, 4},
		{"large, two sizes up", Index{Depth: 4, LeafPages: 1_000_000, Nodes: 300_000_000, NodeBytes: 13, KeyBytes: 8}, 4096, 16384, 3},
		{"without the length of keys", Index{Depth: 4, LeafPages: 64, Nodes: 256}, 4096, 8192, 3},
		{"one page", Index{Depth: 1, LeafPages: 1}, 4096, 8192, 1},
		{"two levels", Index{Depth: 2, LeafPages: 3, Nodes: 30, NodeBytes: 400, KeyBytes: 395}, 4096, 16384, 1},
	} {
		if got := test.index.DepthAt(test.page, test.other); got.Depth != test.want {
			t.Errorf("%s: %s, want depth %d", test.name, got, test.want)
		}
	}
	for depth := 1; depth < 8; depth++ {
		for leaves := int64(1); leaves < 1<<40; leaves *= 3 {
			for _, key := range []float64{0, 1, 30, 900} {
				i := Index{Depth: depth, LeafPages: leaves, Nodes: 5 * leaves, NodeBytes: key + 4, KeyBytes: key}
				before := depth
				for _, page := range []confgen.Bytes{4096, 8192, 16384, 32768} {
					got := i.DepthAt(4096, page).Depth
					if got > before || got < 1 || page == 4096 && leaves > 1 && got != depth {
						t.Fatalf("%+v in pages of %s: depth %d after %d", i, page, got, before)
					}
					before = got
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		f.Fatalf("outputs %v (%v)", files, err)
	}
	for _, file := range files {
		output, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(output)
	}
	f.Fuzz(func(t *testing.T, output []byte) {
		s, err := Parse(bytes.NewReader(output))
		if err != nil {
			return
		}
		for _, table := range s.Tables {
			if table.Size < 0 || table.Records < 0 || !(table.Fill >= 0) {
				t.Errorf("table %+v", table)
			}
		}
		for _, i := range s.Indices {
			if i.Size < 0 || !(i.Selectivity >= 0 && i.Selectivity <= 1) || i.CurePageSize != 0 && i.CurePageSize <= s.Header.PageSize || !(i.KeyBytes >= 0) {
				t.Errorf("index %+v", i)
			}
		}
		if !slices.IsSortedFunc(s.Tables, func(a, b Table) int { return cmp.Compare(b.Size, a.Size) }) {
			t.Error("tables are not the largest first")
		}
	})
}
