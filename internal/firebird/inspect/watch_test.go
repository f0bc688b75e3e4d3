package inspect

import (
	"slices"
	"testing"
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/lockprint"
)

// What the looks of a watch add up to, where the database has counts (Super)
// and where only attachments have (SuperClassic, Classic).
func TestSum(t *testing.T) {
	at := func(attachments int, database, own IO, others map[int64]IO) look {
		return look{attachments: attachments, database: database, own: own, others: others}
	}
	for _, test := range []struct {
		name  string
		looks []look
		want  IO
		peak  int
	}{
		{"Super: the database's, less fbtune's own", []look{
			at(2, IO{100, 10, 1000, 5}, IO{1, 0, 50, 0}, map[int64]IO{7: {90, 9, 900, 5}}),
			at(5, IO{150, 20, 51_000, 25}, IO{3, 0, 1050, 0}, map[int64]IO{7: {100, 9, 9_900, 5}}),
			at(1, IO{200, 30, 101_000, 35}, IO{6, 0, 2050, 0}, nil),
		}, IO{95, 20, 98_000, 30}, 5},
		{"Classic: the attachments', one of which ended, one began and one did both", []look{
			at(2, IO{}, IO{1, 0, 50, 0}, map[int64]IO{7: {90, 9, 900, 5}, 8: {1, 1, 100, 1}}),
			at(2, IO{}, IO{1, 0, 90, 0}, map[int64]IO{7: {100, 9, 1900, 5}, 9: {5, 5, 500, 5}}),
			at(1, IO{}, IO{1, 0, 99, 0}, map[int64]IO{9: {6, 6, 20_000, 6}}),
		}, IO{16, 6, 21_000, 6}, 2},
		{"one look", []look{at(3, IO{1, 1, 1, 1}, IO{}, nil)}, IO{}, 3},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := newSum(test.looks[0])
			for _, l := range test.looks[1:] {
				s.add(l)
			}
			a := s.activity()
			if a.IO != test.want || a.Peak != test.peak || a.Looks != len(test.looks) || a.Attachments != test.looks[len(test.looks)-1].attachments {
				t.Errorf("%+v, want %+v and a peak of %d", a, test.want, test.peak)
			}
		})
	}
}

func TestHitRatio(t *testing.T) {
	for _, test := range []struct {
		io    IO
		ratio float64
		known bool
	}{
		{IO{Reads: 1000, Fetches: 10_000}, 0.9, true},
		{IO{Reads: 0, Fetches: 9_999}, 0, false},
		{IO{Reads: 20_000, Fetches: 10_000}, 0, true}, // read ahead
	} {
		if ratio, known := test.io.HitRatio(); ratio != test.ratio || known != test.known {
			t.Errorf("%+v: %g, %t", test.io, ratio, known)
		}
	}
}

// Only a watch tells of peaks and hits; locks and files count as they are.
func TestObserved(t *testing.T) {
	d := Database{
		Activity: &Activity{Peak: 40, IO: IO{Reads: 2000, Fetches: 10_000}},
		Locks:    &lockprint.Table{HashSlots: 8191, AverageChain: 12.5, LongestChain: 30, Acquires: 100, AcquireBlocks: 20, Used: 500_000},
		Temp:     &TempFiles{Files: 2, Bytes: 64 * confgen.MiB},
	}
	want := confgen.Observed{HashSlots: 8191, AverageChain: 12.5, LongestChain: 30, MutexWait: 0.2, LockUsed: 500_000, TempSpilled: 64 * confgen.MiB}
	if got := d.Observed(); got != want {
		t.Errorf("one look: %+v", got)
	}
	d.Activity.Watched = time.Minute
	want.PeakAttachments, want.HitRatio = 40, 0.8
	if got := d.Observed(); got != want {
		t.Errorf("a watch: %+v", got)
	}
	if got := (Database{}).Observed(); got != (confgen.Observed{}) {
		t.Errorf("nothing: %+v", got)
	}
}

// Who holds what back, by isolation level.
func TestHolds(t *testing.T) {
	for _, test := range []struct {
		isolation        Isolation
		readOnly         bool
		holds, snapshots bool
	}{
		{Snapshot, true, true, true},
		{Consistency, false, true, true},
		{ReadCommittedVersion, false, true, false},
		{ReadCommittedVersion, true, false, false},
		{ReadCommittedConsistency, false, true, true},
		{ReadCommittedConsistency, true, false, false},
	} {
		tx := Transaction{Isolation: test.isolation, ReadOnly: test.readOnly}
		if tx.Holds() != test.holds || tx.Snapshots() != test.snapshots {
			t.Errorf("%+v holds %t, snapshots %t", tx, tx.Holds(), tx.Snapshots())
		}
	}
}

func TestBetween(t *testing.T) {
	got := []time.Duration{between(time.Second), between(2 * time.Minute), between(time.Hour)}
	if want := []time.Duration{time.Second, time.Second, 30 * time.Second}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
