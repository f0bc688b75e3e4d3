// Package memorymodel holds confgen's memory model against real servers.
//
// A page cache is address space long before it is memory, so a model that is
// wrong shows only when every page buffer was used. The tests here start a
// private server with a database larger than its cache, read all of it through
// every connection, and compare the sum of the proportional set sizes of the
// server's processes with what [confgen.Plan] says of the same load: the growth
// by a page buffer, and the total. docs/memory-model.md shows the result.
//
// The package has nothing but its tests.
package memorymodel
