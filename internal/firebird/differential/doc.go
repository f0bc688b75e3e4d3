// Package differential holds what fbtune says about configuration files to what
// Firebird does with them: it generates texts, feature by feature of the
// grammar, and asks real engines of 3.0 and 4.0.
//
// All of it is tests. Half of the texts are written from scratch, half are
// mutations of the golden probes in internal/fbconf/testdata. Each is put before
// the engine inside isql, which answers in a few hundredths of a second, without
// a network, as the unprivileged user, below a memory cap; some are put before a
// server as well. Compared are whether the engine works, its own words when it
// does not, the page buffers in force (MON$PAGE_BUFFERS) and, from 4.0 on, every
// setting with its value and where it is from (RDB$CONFIG). A disagreement is
// reported with the smallest text that still shows it.
//
//	go test ./internal/firebird/differential                  220 texts, as in make test
//	FBTUNE_LONG=1 go test ./internal/firebird/differential    2,024 texts, as in make test-long
//	go test ./internal/firebird/differential -seed 7 -texts 9000
//
// The last form looks for new disagreements; FBTUNE_TEST_ROOTS names the second
// Firebird, see package firebirdtest.
package differential
