// Package fbconf reads and edits firebird.conf, databases.conf and
// aliases.conf as the engine of a given version does, without losing a byte.
//
// It knows syntax only: which line counts, what text the engine takes from it,
// which number or boolean that text becomes, and which mistakes stop a server.
// What a setting means, its default and its bounds belong to confgen.
//
// The rules follow src/common/config/config_file.cpp and
// src/common/db_alias.cpp of Firebird 2.5 to 6.0, and are held to what real
// engines printed (testdata/*.tsv). Differences between versions and patch
// levels are the table in dialect.go.
//
// A File never fails to parse: Parse keeps every byte, File.Fault tells why the
// engine would refuse the file, and File.Warnings what it would silently ignore.
package fbconf
