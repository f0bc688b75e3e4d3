package check

import (
	"time"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/probe"
)

// DatabaseFile is a database of the server, as its file shows it.
type DatabaseFile struct {
	Name   string // alias; empty when it has none
	Path   string
	Header *Header    // nil when it cannot be read
	Disk   probe.Disk // what it lies on; the zero Disk when that is not known
}

// Header is what the header page of a database says.
type Header struct {
	ODS           string          // such as "12.2"
	Firebird      confgen.Version // the oldest version that opens it; the zero Version when that is not known
	Opens         bool            // whether the version that is checked opens it
	PageSize      confgen.Bytes
	FileSize      confgen.Bytes
	PageBuffers   confgen.Pages // 0 leaves it to the files
	SweepInterval int64         // transactions; 0 is no sweep by itself
	ForcedWrites  bool
	ReadOnly      bool
	Shutdown      string // in gstat's words; empty when it is online
	Backup        string // in gstat's words; empty when nbackup does nothing with it

	Oldest, OldestActive, OldestSnapshot, Next int64 // transaction counters
}

// LogLine is what firebird.log tells of one kind, as often as it does.
type LogLine struct {
	Kind     string // of the lines, see [LogKinds]
	Text     string // of the last one
	Database string // that one is about; empty when it does not say
	Count    int
	Last     time.Time // of the last one; zero when the log does not say
}

// Directory is a directory of the machine that the server runs on.
type Directory struct {
	Missing bool       // whether it is not there
	Refused string     // why the server's account cannot write there; empty when it can, or that is not known
	Disk    probe.Disk // what it lies on; the zero Disk when that is not known
}

// called is the name of a database for a person.
func (f DatabaseFile) called() string {
	if f.Name != "" {
		return f.Name
	}
	return f.Path
}

// finding starts a finding about a database.
func (f DatabaseFile) finding() Finding { return Finding{File: f.Path, Name: f.Name} }

// fileOf returns what is known of the file of a database.
func (s *subject) fileOf(path string) (DatabaseFile, bool) {
	for _, f := range s.DatabaseFiles {
		if f.Path == path {
			return f, true
		}
	}
	return DatabaseFile{}, false
}
