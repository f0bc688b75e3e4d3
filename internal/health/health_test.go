package health

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
)

// healthy is a database without findings.
func healthy() inspect.Database {
	return inspect.Database{
		Path: "/data/erp.fdb", Server: confgen.Version{Major: 3, Minor: 0, Patch: 11},
		Statistics: gstat.Statistics{Header: dbheader.Header{
			ODS: dbheader.ODS{Major: 12}, PageSize: 8192, SweepInterval: 20000, Dialect: 3, ForcedWrites: true,
			Transactions: dbheader.Transactions{Oldest: 99, OldestActive: 100, OldestSnapshot: 100, Next: 150},
		}},
		Activity: &inspect.Activity{Transactions: []inspect.Transaction{}, Watched: time.Minute, IO: inspect.IO{Reads: 100, Fetches: 100_000}},
	}
}

// accounting is a client that forgot to commit.
func accounting(id int64) inspect.Transaction {
	return inspect.Transaction{ID: id, Attachment: 17, User: "ANNA", Address: "10.0.0.7/51000", Process: "accounting.exe", Open: 7200, Isolation: inspect.Snapshot}
}

// Each case makes one finding, which says what it must.
func TestFindings(t *testing.T) {
	for _, test := range []struct {
		name string
		set  func(d *inspect.Database)
		rule string // "" for none
		says []string
	}{
		{"healthy", func(*inspect.Database) {}, "", nil},

		// Cases 1, 17, 51 to 53 of people who tune Firebird.
		{"page buffers in the header", func(d *inspect.Database) { d.Statistics.Header.PageBuffers = 500 }, "header-buffers", []string{"gfix -buffers 0", "whatever the files say"}},
		{"forced writes off", func(d *inspect.Database) { d.Statistics.Header.ForcedWrites = false }, "forced-writes", []string{"power cut"}},
		{"no sweep", func(d *inspect.Database) { d.Statistics.Header.SweepInterval = 0 }, "sweep-interval", []string{"gfix -sweep"}},
		{"a stuck oldest alone", func(d *inspect.Database) {
			d.Statistics.Header.Transactions = dbheader.Transactions{Oldest: 127641, OldestActive: 257007, OldestSnapshot: 257007, Next: 257008}
		}, "sweep-due", []string{"129366 transactions", "gfix -list"}},
		{"the next one far from the oldest, but swept", func(d *inspect.Database) {
			d.Statistics.Header.Transactions = dbheader.Transactions{Oldest: 255_000, OldestActive: 257007, OldestSnapshot: 257007, Next: 257008}
		}, "", nil},
		{"a stuck oldest active one, with its holder", func(d *inspect.Database) {
			d.Statistics.Header.Transactions = dbheader.Transactions{Oldest: 99, OldestActive: 100, OldestSnapshot: 100, Next: 1_500_000}
			d.Activity.Transactions = append(d.Activity.Transactions, accounting(100))
		}, "old-active-transaction", []string{"attachment 17 (ANNA, accounting.exe at 10.0.0.7/51000)", "open for 2h0m0s", "1499900 later ones", "No setting helps"}},
		{"a stuck oldest active one, without a server", func(d *inspect.Database) {
			d.Activity, d.Server = nil, confgen.Version{}
			d.Statistics.Header.Transactions = dbheader.Transactions{Oldest: 99, OldestActive: 100, OldestSnapshot: 100, Next: 1_500_000}
		}, "old-active-transaction", []string{"MON$TRANSACTIONS", "no setting helps"}},
		{"in limbo", func(d *inspect.Database) { d.Activity.Limbo = []int64{1, 2, 3, 4, 5, 6} }, "limbo", []string{"1, 2, 3, 4, 5, and 1 more", "gfix -commit"}},

		{"a long chain, kept by a snapshot", func(d *inspect.Database) {
			d.Activity.Transactions = append(d.Activity.Transactions, accounting(100))
			d.Statistics.Tables = []gstat.Table{{Name: "ORDERS", DataPages: 9, Fill: 0.8, Records: 10, Versions: 500, VersionBytes: 20, MostVersions: 500}}
		}, "version-chains", []string{"up to 500 of one", "transaction 100 of attachment 17", "have the program of attachment 17 commit"}},
		{"a long chain that nobody keeps", func(d *inspect.Database) {
			d.Statistics.Tables = []gstat.Table{{Name: "ORDERS", DataPages: 9, Fill: 0.8, Records: 10, Versions: 500, MostVersions: 500}}
		}, "version-chains", []string{"nothing keeps them now: run gfix -sweep"}},
		{"more versions than records, as gstat saw them", func(d *inspect.Database) {
			d.Activity, d.Server = nil, confgen.Version{}
			d.Statistics.Tables = []gstat.Table{{Name: "ORDERS", DataPages: 9, Fill: 0.8, Records: 10_000, Versions: 10_001, MostVersions: 3}}
		}, "version-chains", []string{"inspect --connect names it"}},
		{"a version for some records", func(d *inspect.Database) {
			d.Statistics.Tables = []gstat.Table{{Name: "ORDERS", DataPages: 9, Fill: 0.8, Records: 1_000_000, Versions: 50_000, MostVersions: 3}}
		}, "", nil},
		{"fragments", func(d *inspect.Database) {
			d.Statistics.Tables = []gstat.Table{{Name: "DOCS", DataPages: 9, Fill: 0.8, Records: 10_000, RecordBytes: 5000, Fragments: 4000}}
		}, "fragments", []string{"-page_size of more than 8192"}},
		{"empty pages", func(d *inspect.Database) {
			d.Statistics.Tables = []gstat.Table{{Name: "QUEUE", DataPages: 8000, Fill: 0.1}}
		}, "fill", []string{"8000 pages where about 1000"}},

		{"a deep index with a cure", func(d *inspect.Database) {
			d.Statistics.Indices = []gstat.Index{{Table: "ORDERS", Name: "ORDERS_NOTE", Depth: 4, LeafPages: 64, Nodes: 256, NodeBytes: 2000, KeyBytes: 1988, CurePageSize: 16384}}
		}, "index-depth", []string{"-page_size 16384: depth 3 = 1 + log(28 leaf pages)", "reads 4 pages"}},
		{"a deep index that only 4.0 cures", func(d *inspect.Database) {
			d.Statistics.Indices = []gstat.Index{{Table: "ORDERS", Name: "ORDERS_NOTE", Depth: 4, LeafPages: 640, Nodes: 2560, NodeBytes: 2000, KeyBytes: 1988, CurePageSize: 32768}}
		}, "index-depth", []string{"-page_size 32768 of Firebird 4.0"}},
		{"an index too deep for any page", func(d *inspect.Database) {
			d.Statistics.Indices = []gstat.Index{{Table: "ORDERS", Name: "ORDERS_NOTE", Depth: 6, LeafPages: 1e6, Nodes: 4e6, NodeBytes: 2000, KeyBytes: 1988}}
		}, "index-depth", []string{"shorten its keys of 1988 bytes"}},
		{"an index of few keys", func(d *inspect.Database) {
			d.Statistics.Indices = []gstat.Index{{Table: "ORDERS", Name: "ORDERS_DONE", Depth: 2, LeafPages: 60, Nodes: 100_000, Duplicates: 99_998, MostDuplicates: 90_000}}
		}, "index-duplicates", []string{"90 % of the entries of ORDERS", "2 different keys"}},

		{"a poor cache", func(d *inspect.Database) { d.Activity.IO.Reads, d.Activity.PageBuffers = 20_000, 2048 }, "hit-ratio", []string{"80.0 %", "2048 pages", "recommend --observed"}},
		{"a poor cache at one look", func(d *inspect.Database) { d.Activity.IO.Reads, d.Activity.Watched = 20_000, 0 }, "", nil},
		{"too little to tell", func(d *inspect.Database) { d.Activity.IO = inspect.IO{Reads: 90, Fetches: 100} }, "", nil},
		{"sorts on disk", func(d *inspect.Database) { d.Temp = &inspect.TempFiles{Files: 2, Bytes: 3 * confgen.GiB} }, "temp-spill", []string{"3 GiB in 2 temporary files"}},
		{"long lock chains", func(d *inspect.Database) {
			d.Locks = &lockprint.Table{HashSlots: 1009, AverageChain: 12, LongestChain: 31}
		}, "lock-chains", []string{"1009 slots"}},
		{"waits for the lock table", func(d *inspect.Database) { d.Locks = &lockprint.Table{Acquires: 100_000, AcquireBlocks: 15_000} }, "mutex-wait", []string{"15.0 %"}},
		{"few acquires", func(d *inspect.Database) { d.Locks = &lockprint.Table{Acquires: 100, AcquireBlocks: 50} }, "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := healthy()
			test.set(&d)
			found := Findings(d)
			if test.rule == "" {
				if len(found) != 0 {
					t.Errorf("found %+v, want nothing", found)
				}
				return
			}
			if len(found) != 1 || found[0].Rule != test.rule {
				t.Fatalf("found %+v, want one of %s", found, test.rule)
			}
			f := found[0]
			text := strings.Join([]string{f.Name, f.Written, f.EngineDoes, f.Instead}, "\n")
			for _, want := range test.says {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in\n%s", want, text)
				}
			}
			if f.File != d.Path || f.Source == "" || f.Severity == "" || strings.Contains(text, "%!") {
				t.Errorf("finding %+v", f)
			}
		})
	}
}

// What loses data comes first, then by the table of rules, then by size.
func TestOrderOfGain(t *testing.T) {
	d := healthy()
	d.Statistics.Header.ForcedWrites, d.Statistics.Header.SweepInterval = false, 0
	d.Statistics.Indices = []gstat.Index{
		{Table: "A", Name: "SMALL", Depth: 4, LeafPages: 100, Nodes: 20_000, MostDuplicates: 15_000, Duplicates: 15_000},
		{Table: "A", Name: "LARGE", Depth: 4, LeafPages: 1000, Nodes: 1000},
	}
	d.Temp = &inspect.TempFiles{Files: 1, Bytes: confgen.MiB}
	var got []string
	for _, f := range Findings(d) {
		got = append(got, strings.TrimSpace(f.Rule+" "+f.Name))
	}
	want := []string{"forced-writes", "temp-spill TempCacheLimit", "index-depth LARGE", "index-depth SMALL", "sweep-interval", "index-duplicates SMALL"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// Each gap names who holds it, and says when that is not known.
func TestGaps(t *testing.T) {
	reader := inspect.Transaction{ID: 90, Attachment: 3, Isolation: inspect.ReadCommittedVersion, ReadOnly: true}
	writer := inspect.Transaction{ID: 130, Attachment: 5, User: "BEN", Isolation: inspect.ReadCommittedVersion, Running: true}
	for _, test := range []struct {
		name     string
		counters dbheader.Transactions
		open     []inspect.Transaction
		limbo    []int64
		distance [3]int64
		held     [3]string // parts; "" for nobody
	}{
		{"nothing open", dbheader.Transactions{Oldest: 149, OldestActive: 150, OldestSnapshot: 150, Next: 150}, nil, nil, [3]int64{0, 0, 1}, [3]string{}},
		{"a snapshot", dbheader.Transactions{Oldest: 99, OldestActive: 100, OldestSnapshot: 100, Next: 150}, []inspect.Transaction{reader, accounting(100), writer}, nil,
			[3]int64{50, 0, 1}, [3]string{"transaction 100 (snapshot) of attachment 17: ANNA, accounting.exe at 10.0.0.7/51000, open for 2h0m0s, idle", "", ""}},
		{"a snapshot behind a writer that ended", dbheader.Transactions{Oldest: 99, OldestActive: 130, OldestSnapshot: 100, Next: 150}, []inspect.Transaction{writer, accounting(131)}, nil,
			[3]int64{20, 30, 1}, [3]string{"transaction 130 (read committed, record version) of attachment 5: BEN, a program that gives no name at the server itself, open for 0s, a statement running", "transaction 131", ""}},
		{"rolled back", dbheader.Transactions{Oldest: 20, OldestActive: 150, OldestSnapshot: 150, Next: 151}, nil, nil, [3]int64{1, 0, 130}, [3]string{"", "", "rolled back"}},
		{"in limbo", dbheader.Transactions{Oldest: 20, OldestActive: 150, OldestSnapshot: 150, Next: 151}, nil, []int64{21}, [3]int64{1, 0, 130}, [3]string{"", "", "in limbo: transactions 21"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := healthy()
			d.Statistics.Header.Transactions, d.Activity.Transactions, d.Activity.Limbo = test.counters, test.open, test.limbo
			for i, gap := range Gaps(d) {
				held := gap.HeldBy == ""
				if test.held[i] != "" {
					held = strings.Contains(gap.HeldBy, test.held[i])
				}
				if gap.Transactions != test.distance[i] || !held || gap.Means == "" {
					t.Errorf("%+v, want %d held by %q", gap, test.distance[i], test.held[i])
				}
			}
			d.Activity = nil
			for _, gap := range Gaps(d) {
				if gap.HeldBy != notKnown {
					t.Errorf("without a server: %+v", gap)
				}
			}
		})
	}
}

// Every rule has what its findings need, and none has another's name.
func TestRules(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range rules {
		if seen[r.id] || r.source == "" || !slices.Contains(check.Severities(), r.severity) {
			t.Errorf("rule %+v", r)
		}
		seen[r.id] = true
	}
}
