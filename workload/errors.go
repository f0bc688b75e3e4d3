package workload

import (
	"context"
	"errors"
	"slices"
	"strings"

	firebirdsql "github.com/nakagami/firebirdsql"
)

// Sentinels a caller tests for.
var (
	// ErrNoMarker means that the database is not one fbtune loaded.
	ErrNoMarker = errors.New("the database carries no marker of fbtune")
	// ErrIncomplete means that loading the database was interrupted.
	ErrIncomplete = errors.New("loading this database was interrupted; delete it and load it again")
	// ErrNotEmpty means that a database to be loaded holds tables already.
	ErrNotEmpty = errors.New("the database is not empty; give the path of a new one")
)

// Codes that say nothing by themselves: their first parameter does.
const (
	gdsException = 335544517 // isc_except: the name of a user's exception is among the parameters
	gdsRandom    = 335544382 // isc_random: the text of the message is the parameter
)

// conflictTexts are the parameters of such a code that mean a conflict.
var conflictTexts = map[int]string{
	// The procedures raise it for a conflict that Firebird itself does not see
	// (templates/oltp/delivery.sql).
	gdsException: "FBTUNE_CONFLICT",
	// Two deliveries met: the record was erased between being found and being
	// deleted. Seen from Firebird 3.0.11 in this form; see also conflictCodes.
	gdsRandom: "cannot update erased record",
}

// conflictCodes are the gds codes that mean: another transaction was faster,
// the same inputs will do on the next try.
var conflictCodes = map[int]string{
	335544336: "deadlock; heads every update conflict",
	335544345: "lock_conflict: NO WAIT met a lock",
	335544451: "update_conflict",
	335544878: "concurrent_transaction: its number",
	336527548: "cannot update erased record, when it comes as a code and not as text",
}

// severeCodes are the gds codes after which counting on has no meaning: the
// connection, the file or the server is gone or the data are damaged.
var severeCodes = map[int]string{
	335544333: "bug_check",
	335544335: "db_corrupt",
	335544344: "io_error",
	335544430: "virmemexh: the server is out of memory",
	335544648: "conn_lost",
	335544721: "network_error",
	335544726: "net_read_err",
	335544727: "net_write_err",
	335544741: "lost_db_connection",
	335544528: "shutdown: the database is shut down",
	335544794: "cancelled",
	335544856: "att_shutdown: the attachment was ended",
}

// Codes of a file that cannot be opened, both of which a server gives.
const (
	gdsIO     = 335544344 // isc_io_error
	gdsIOOpen = 335544734 // isc_io_open_err
)

// CannotOpen reports whether a server answered that it cannot open the file of a
// database, as when there is none.
func CannotOpen(err error) bool {
	var fb *firebirdsql.FbError
	return errors.As(err, &fb) && slices.Contains(fb.GDSCodes, gdsIO) && slices.Contains(fb.GDSCodes, gdsIOOpen)
}

// errorClass says what to do about an operation's error.
type errorClass int

const (
	classSevere   errorClass = iota // the run fails
	classConflict                   // try again with the same inputs
	classUnseen                     // a row that must exist was not found: try again, a few times
	classCounted                    // count it by its code and go on
)

// classify returns the class of an operation's error and its gds code, 0 if it
// has none. An error without a code is severe: it is not the database's answer.
func classify(err error) (errorClass, int) {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return classSevere, 0
	}
	var fb *firebirdsql.FbError
	if !errors.As(err, &fb) || len(fb.GDSCodes) == 0 {
		return classSevere, 0
	}
	code := fb.GDSCodes[0]
	for _, c := range fb.GDSCodes {
		if _, ok := severeCodes[c]; ok {
			return classSevere, c
		}
	}
	for c, text := range conflictTexts {
		if slices.Contains(fb.GDSCodes, c) && hasParameter(fb, text) {
			return classConflict, code
		}
	}
	if slices.Contains(fb.GDSCodes, gdsException) {
		return classUnseen, code // only fbtune_no_row is left
	}
	for _, c := range fb.GDSCodes {
		if _, ok := conflictCodes[c]; ok {
			return classConflict, code
		}
	}
	return classCounted, code
}

// hasParameter reports whether text is a parameter of one of fb's codes.
func hasParameter(fb *firebirdsql.FbError, text string) bool {
	for _, params := range fb.Params {
		for _, p := range params {
			if strings.EqualFold(strings.Trim(p, `" `), text) {
				return true
			}
		}
	}
	return false
}
