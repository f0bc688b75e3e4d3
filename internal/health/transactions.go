package health

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/fbtune/fbtune/confgen/check"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
)

// Gap is the distance between two transaction counters.
type Gap struct {
	Name         string `json:"gap"`
	Transactions int64  `json:"transactions"`
	Means        string `json:"means"`
	HeldBy       string `json:"held_by"` // who keeps it from closing; empty when nobody does
}

// notKnown stands for the holder when no server was asked.
const notKnown = "not known without the server (--connect)"

// Gaps returns the distances between the transaction counters of a database.
func Gaps(d inspect.Database) []Gap {
	c := d.Counters()
	began := Gap{
		Name: "next - oldest active", Transactions: c.Next - c.OldestActive,
		Means: "transactions begun since the oldest open one: what they replace or delete stays as an older version for as long as that one is open",
	}
	kept := Gap{
		Name: "oldest active - oldest snapshot", Transactions: c.OldestActive - c.OldestSnapshot,
		Means: "transactions that an open snapshot does not see although they have ended: no version from the oldest snapshot on may go",
	}
	swept := Gap{
		Name: "oldest snapshot - oldest", Transactions: c.OldestSnapshot - c.Oldest,
		Means: fmt.Sprintf("transactions since the first that did not commit: above the sweep interval of %d a sweep starts, which moves it", d.Statistics.Header.SweepInterval),
	}
	if d.Statistics.Header.SweepInterval == 0 {
		swept.Means = "transactions since the first that did not commit: no sweep starts by itself, for the sweep interval is 0"
	}
	if d.Activity == nil {
		began.HeldBy, kept.HeldBy, swept.HeldBy = notKnown, notKnown, notKnown
		return []Gap{began, kept, swept}
	}
	if t, ok := oldest(d); ok {
		began.HeldBy = describe(t)
	}
	if t, ok := oldestSnapshot(d); ok && kept.Transactions > 0 {
		kept.HeldBy = describe(t)
	}
	// The counter is one below the first that is not known to have committed.
	switch {
	case len(d.Activity.Limbo) > 0:
		swept.HeldBy = "in limbo: transactions " + numbers(d.Activity.Limbo)
	case swept.Transactions > 1:
		swept.HeldBy = "a transaction that was rolled back and left versions behind"
	}
	return []Gap{began, kept, swept}
}

// oldest returns the transaction that the oldest active one is. It is false when
// that has ended: then the counter moves with the next transaction.
func oldest(d inspect.Database) (inspect.Transaction, bool) {
	return first(d, func(t inspect.Transaction) bool { return t.Holds() && t.ID == d.Counters().OldestActive })
}

// oldestSnapshot returns the transaction that keeps the oldest snapshot where it
// is: the oldest that has one, for those begun later see later.
func oldestSnapshot(d inspect.Database) (inspect.Transaction, bool) {
	return first(d, inspect.Transaction.Snapshots)
}

// first returns the first open transaction of a kind; they are sorted by number.
func first(d inspect.Database, is func(inspect.Transaction) bool) (inspect.Transaction, bool) {
	if d.Activity == nil {
		return inspect.Transaction{}, false
	}
	i := slices.IndexFunc(d.Activity.Transactions, is)
	if i < 0 {
		return inspect.Transaction{}, false
	}
	return d.Activity.Transactions[i], true
}

// describe is a transaction with its attachment, for a person who looks for it.
func describe(t inspect.Transaction) string {
	return fmt.Sprintf("transaction %d (%s) of attachment %d: %s, open for %s, %s", t.ID, t.Isolation, t.Attachment, client(t), open(t), running(t))
}

// client is who has a transaction open.
func client(t inspect.Transaction) string {
	return fmt.Sprintf("%s, %s at %s", t.User, cmp.Or(t.Process, "a program that gives no name"), cmp.Or(t.Address, "the server itself"))
}

func open(t inspect.Transaction) time.Duration {
	return time.Duration(t.Open * float64(time.Second)).Round(time.Second)
}

func running(t inspect.Transaction) string {
	if t.Running {
		return "a statement running"
	}
	return "idle"
}

// numbers lists the first of many numbers.
func numbers(list []int64) string {
	const most = 5
	var words []string
	for _, n := range list[:min(len(list), most)] {
		words = append(words, fmt.Sprint(n))
	}
	if len(list) > most {
		words = append(words, fmt.Sprintf("and %d more", len(list)-most))
	}
	return strings.Join(words, ", ")
}

// heldTransaction names who holds the oldest active transaction for long. No
// setting helps against that.
func heldTransaction(d *inspect.Database) []finding {
	t, ok := oldest(*d)
	if !ok {
		return nil
	}
	began := d.Counters().Next - t.ID
	severity, old := check.OldActive(began)
	if !old {
		return nil
	}
	f := about("", "transaction %d, open for %s", t.ID, open(t)).
		does("keeps every version of a record that transaction %d may still read, while %d later ones have begun", t.ID, began).
		instead("have the program of attachment %d (%s) commit; now: DELETE FROM MON$ATTACHMENTS WHERE MON$ATTACHMENT_ID = %d. No setting helps", t.Attachment, client(t), t.Attachment)
	f.Severity = severity
	return []finding{f}
}

func inLimbo(d *inspect.Database) []finding {
	if d.Activity == nil || len(d.Activity.Limbo) == 0 {
		return nil
	}
	return []finding{about("", "transactions in limbo: %s", numbers(d.Activity.Limbo)).
		does("does not know whether they committed, waits for whoever prepared them, and starts no sweep while the oldest transaction is one of them").
		instead("find out what became of the other database, then run gfix -commit or gfix -rollback with the numbers on %s", d.Path)}
}
