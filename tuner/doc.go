// Package tuner measures configurations of a Firebird server against each
// other.
//
// A [Bench] measures one configuration: it resets the database, starts a
// private server, reads back what is in force, drives the load and stops the
// server. [Sweep] has a bench measure every cell of a [Plan] in randomised
// blocks, keeps each trial in a study, and tells what happens by [Event]s,
// which [Progress] alone interprets: plain lines, the terminal view and the
// final result are all views of it.
package tuner
