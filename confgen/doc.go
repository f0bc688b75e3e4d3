// Package confgen knows what a Firebird configuration means: which settings
// there are, what the engine makes of a value, how much memory a configuration
// needs, and which one suits a machine and a load.
package confgen
