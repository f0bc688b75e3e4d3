// Package dbheader reads the header page of a database file, without a server.
//
// It shows what gstat -h shows of it: what overrides or explains a
// configuration, such as the page buffers set by gfix -buffers. Like gstat it
// reads what is on disk; a running server may be ahead of that by what its page
// cache has not written yet.
//
// Firebird's encryption leaves the header page readable
// (40:src/jrd/ods.h, pag_crypt_page), so an encrypted database is read like any
// other and says that it is encrypted.
package dbheader

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/fbtune/fbtune/confgen"
)

// Header is what the header page of a database says.
type Header struct {
	ODS           ODS           `json:"ods"`
	PageSize      confgen.Bytes `json:"page_size"`
	FileSize      confgen.Bytes `json:"file_size"`      // of the file that was read, the first of the database
	PageBuffers   confgen.Pages `json:"page_buffers"`   // override every file; 0 leaves it to them
	SweepInterval int64         `json:"sweep_interval"` // transactions; 0 is no sweep by itself
	Dialect       int           `json:"dialect"`        // 1 or 3

	ForcedWrites bool     `json:"forced_writes"`
	NoReserve    bool     `json:"no_reserve"` // no room is kept on pages for record versions
	ReadOnly     bool     `json:"read_only"`
	Encrypted    bool     `json:"encrypted"`
	Encrypting   bool     `json:"encrypting"` // being encrypted or decrypted now
	Shadow       bool     `json:"shadow"`     // the file is an active shadow of a database
	Shutdown     Shutdown `json:"shutdown"`
	Backup       Backup   `json:"backup"`
	Replica      Replica  `json:"replica"`

	Transactions Transactions `json:"transactions"`
}

// Transactions are the transaction counters of a database.
type Transactions struct {
	Oldest         int64 `json:"oldest"`          // the oldest interesting one: the oldest that is not known to have committed
	OldestActive   int64 `json:"oldest_active"`   // the oldest that was active
	OldestSnapshot int64 `json:"oldest_snapshot"` // the oldest that an active one may see the records of
	Next           int64 `json:"next"`
}

// Shutdown is who is kept out of a database.
type Shutdown string

// Backup is what nbackup does with a database.
type Backup string

// Replica is what a database is to replication.
type Replica string

// States of databases, in gstat's words.
const (
	Online             Shutdown = ""
	MultiUserShutdown  Shutdown = "multi-user maintenance" // only its owner and SYSDBA attach
	SingleUserShutdown Shutdown = "single-user maintenance"
	FullShutdown       Shutdown = "full shutdown"

	BackupLock  Backup = "backup lock"  // changes go to a difference file
	BackupMerge Backup = "backup merge" // which is being merged

	ReadOnlyReplica  Replica = "read-only replica"
	ReadWriteReplica Replica = "read-write replica"
)

// mostOfHeader is the largest page of any version.
const mostOfHeader = 32 << 10

// Read reads the header of a database file.
func Read(path string) (h Header, err error) {
	fail := func(format string, args ...any) (Header, error) {
		return Header{}, fmt.Errorf("read the header of %s: %w", path, fmt.Errorf(format, args...))
	}
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return fail("%w", withoutPath(err))
	case info.IsDir():
		return fail("it is a directory; name a database's file")
	case !info.Mode().IsRegular():
		return fail("it is no regular file; name a database's file")
	}
	f, err := os.Open(path)
	if err != nil {
		return fail("%w", withoutPath(err))
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	page, err := io.ReadAll(io.LimitReader(f, mostOfHeader))
	if err != nil {
		return fail("%w", withoutPath(err))
	}
	if h, err = Parse(page); err != nil {
		return fail("%w", err)
	}
	h.FileSize = confgen.Bytes(info.Size())
	return h, nil
}

// withoutPath strips an error of package os of the path, which stands before
// it already.
func withoutPath(err error) error {
	if at, ok := errors.AsType[*os.PathError](err); ok {
		return at.Err
	}
	return err
}

// What the engine checks first of a page that is to be a header
// (40:src/jrd/pag.cpp, PAG_header_init).
const (
	pageTypeAt   = 0 // 1 byte
	pageSizeAt   = 16
	odsAt        = 18
	sequenceAt   = 40
	flagsAt      = 42
	headerPage   = 1      // the type of header pages
	firebirdMark = 0x8000 // in the major ODS version: not of InterBase
	leastHeader  = 132    // up to the variable data, in any layout
)

// errNoDatabase is the error of a file that begins with something else than a
// header page.
var errNoDatabase = errors.New("it is no Firebird database, or was encrypted by something else than Firebird; name a database's file")

// Parse reads a header page: the first bytes of a database file, at least as
// many as a page has.
func Parse(page []byte) (Header, error) {
	if len(page) < leastHeader {
		return Header{}, fmt.Errorf("%d bytes are too short for a database; name a database's file", len(page))
	}
	major := u16(page, odsAt)
	if page[pageTypeAt] != headerPage || major == 0 {
		return Header{}, errNoDatabase
	}
	if major&firebirdMark == 0 {
		return Header{}, fmt.Errorf("its ODS %d is without Firebird's mark, as InterBase writes it; restore a backup of it with Firebird", major)
	}
	l, known := layoutOf(int(major &^ firebirdMark))
	if !known {
		return Header{}, fmt.Errorf("its ODS %d is not among those fbtune reads (11 to 13, of Firebird 2.0 to 5.0); use gstat -h of its own version", major&^firebirdMark)
	}
	size := int(u16(page, pageSizeAt))
	switch {
	case size < l.leastPage || size > l.mostPage || size&(size-1) != 0:
		return Header{}, fmt.Errorf("pages of %d bytes are none of ODS %d: the header is damaged; validate the database with gfix -v", size, l.major)
	case len(page) < size:
		return Header{}, fmt.Errorf("its %d bytes are less than a page of %d: the file is cut off; restore a backup", len(page), size)
	}
	if part := u16(page, sequenceAt); part != 0 {
		return Header{}, fmt.Errorf("it is file %d of a database of several; name the first", part+1)
	}
	return l.read(page[:size]), nil
}

// Numbers stand in the header in the byte order of the machine, which is this
// one on every platform that Firebird is built for today.
func u16(page []byte, at int) uint16 { return binary.LittleEndian.Uint16(page[at:]) }

func u32(page []byte, at int) int64 { return int64(binary.LittleEndian.Uint32(page[at:])) }
