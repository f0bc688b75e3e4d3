package dbheader

import "github.com/fbtune/fbtune/confgen"

// layout is where a major ODS keeps what [Header] has. Numbers are offsets in
// bytes; those that all have in common are constants beside [Parse].
type layout struct {
	major               int
	leastPage, mostPage int // page sizes in bytes

	minor                                         int
	oldest, oldestActive, oldestSnapshot, nextOne int // the low 32 bits of each
	high                                          int // the next 16 bits of them: next, oldest, active, snapshot; 0 for none
	buffers                                       int
	data                                          int // begin of the variable data

	sweep byte // type of the item of variable data with the sweep interval
	bits  flagBits
}

// flagBits are the bits of the flags that mean another thing in another ODS; 0
// is a flag that an ODS does not have.
type flagBits struct {
	noReserve, dialect3, readOnly, encrypted, encrypting, replica uint16
}

// layouts are those of src/jrd/ods.h: of 2.5 (11), 3.0 (12), and of 4.0 and 5.0
// (13), which differ by their minor version only.
var layouts = [...]layout{
	{
		major: 11, leastPage: 1 << 10, mostPage: 16 << 10, minor: 62,
		oldest: 28, oldestActive: 32, oldestSnapshot: 76, nextOne: 36, buffers: 68, data: 96,
		sweep: 6, bits: flagBits{noReserve: 0x20, dialect3: 0x100, readOnly: 0x200},
	},
	{
		major: 12, leastPage: 4 << 10, mostPage: 16 << 10, minor: 64,
		oldest: 28, oldestActive: 32, oldestSnapshot: 72, nextOne: 36, high: 124, buffers: 68, data: 132,
		sweep: 4, bits: flagBits{noReserve: 0x8, dialect3: 0x10, readOnly: 0x20, encrypted: 0x40, encrypting: 0x4},
	},
	{
		major: 13, leastPage: 4 << 10, mostPage: 32 << 10, minor: 64,
		oldest: 28, oldestActive: 32, oldestSnapshot: 72, nextOne: 36, high: 120, buffers: 68, data: 128,
		sweep: 4, bits: flagBits{noReserve: 0x8, dialect3: 0x10, readOnly: 0x20, encrypted: 0x40, encrypting: 0x4, replica: 0x6000},
	},
}

func layoutOf(major int) (layout, bool) {
	for _, l := range layouts {
		if l.major == major {
			return l, true
		}
	}
	return layout{}, false
}

// Flags that all have in common.
const (
	shadowBit       = 0x1
	forcedWritesBit = 0x2
	shutdownBits    = 0x1080
	backupBits      = 0xC00
)

// States by the bits of the flags.
var (
	shutdowns = map[uint16]Shutdown{0x80: MultiUserShutdown, 0x1080: SingleUserShutdown, 0x1000: FullShutdown}
	backups   = map[uint16]Backup{0x400: BackupLock, 0x800: BackupMerge}
	replicas  = map[uint16]Replica{0x2000: ReadOnlyReplica, 0x4000: ReadWriteReplica}
)

// DefaultSweepInterval is in force when the header has none
// (40:src/jrd/jrd.cpp, SWEEP_INTERVAL).
const DefaultSweepInterval = 20000

// read reads a whole header page.
func (l layout) read(page []byte) Header {
	flags := u16(page, flagsAt)
	h := Header{
		ODS:           ODS{l.major, int(u16(page, l.minor))},
		PageSize:      confgen.Bytes(len(page)),
		PageBuffers:   confgen.Pages(u32(page, l.buffers)),
		SweepInterval: l.sweepInterval(page),
		Dialect:       1,
		ForcedWrites:  flags&forcedWritesBit != 0,
		NoReserve:     flags&l.bits.noReserve != 0,
		ReadOnly:      flags&l.bits.readOnly != 0,
		Encrypted:     flags&l.bits.encrypted != 0,
		Encrypting:    flags&l.bits.encrypting != 0,
		Shadow:        flags&shadowBit != 0,
		Shutdown:      shutdowns[flags&shutdownBits],
		Backup:        backups[flags&backupBits],
		Replica:       replicas[flags&l.bits.replica],
		Transactions: Transactions{
			Next:           l.counter(page, l.nextOne, 0),
			Oldest:         l.counter(page, l.oldest, 1),
			OldestActive:   l.counter(page, l.oldestActive, 2),
			OldestSnapshot: l.counter(page, l.oldestSnapshot, 3),
		},
	}
	if flags&l.bits.dialect3 != 0 {
		h.Dialect = 3
	}
	return h
}

// counter reads a transaction counter: 32 bits, and from ODS 12 on 16 more,
// which are the word-th of those that stand together.
func (l layout) counter(page []byte, at, word int) int64 {
	n := u32(page, at)
	if l.high != 0 {
		n |= int64(u16(page, l.high+2*word)) << 32
	}
	return n
}

// sweepInterval looks for the interval in the variable data, a list of items of
// type, length and content, which a 0 ends. It stands in the first page of the
// header unless names of many files fill that.
func (l layout) sweepInterval(page []byte) int64 {
	const end = 0
	for at := l.data; at+1 < len(page) && page[at] != end; at += 2 + int(page[at+1]) {
		if page[at] == l.sweep && page[at+1] == 4 && at+6 <= len(page) {
			return int64(int32(u32(page, at+2)))
		}
	}
	return DefaultSweepInterval
}
