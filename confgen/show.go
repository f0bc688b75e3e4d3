package confgen

import (
	"fmt"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// Files are the configuration files of a server, read by the rules of its
// version.
type Files struct {
	Version   Version
	Mode      Mode         // of 2.5, whose files do not say it; others have it in ServerMode
	Conf      *fbconf.File // firebird.conf; nil stands for an empty one
	Databases *fbconf.File // databases.conf, or aliases.conf of 2.5; nil for none
	Windows   bool         // whether the server runs on Windows
}

// Shown is what a server makes of its files.
type Shown struct {
	Fatal    string    `json:"fatal"` // why the server would not work; empty when it does
	Settings []InForce `json:"settings"`
	Warnings []string  `json:"warnings"` // what the files say in vain
}

// InForce is a setting as the engine takes it.
type InForce struct {
	Name  string `json:"name"`
	Value string `json:"value"` // as RDB$CONFIG prints it, numbers in full
	Means string `json:"means"` // what the engine does with it, after its bounds
	Set   bool   `json:"set"`   // whether a file gives it
	Raw   string `json:"raw"`   // as written; empty when not set
	File  string `json:"file"`
	Line  int    `json:"line"` // from 1; 0 when not set

	// Number is the value of an integer setting after its bounds.
	Number int64 `json:"-"`
	// Attaches is false for a value with which no database can be attached.
	Attaches bool `json:"-"`
}

// ServerMode returns the architecture that the files make.
func (f Files) ServerMode() Mode {
	if !f.Version.AtLeast(v30) {
		if f.Mode == "" {
			return Super
		}
		return f.Mode
	}
	if f.Conf == nil {
		return Super
	}
	s, _ := f.Conf.Lookup(ServerMode)
	return EngineMode(s.Value)
}

// block returns the lines of databases.conf that count for a database, and
// false when it names neither an alias nor a file of databases.conf.
func (f Files) block(database string) ([]fbconf.Setting, bool) {
	if f.Databases == nil {
		return nil, false
	}
	db, known := f.Databases.Database(database)
	return db.Settings, known
}

// lookup returns the line that decides a setting, among those of the server
// and those of a database's block.
func (f Files) lookup(row Setting, era Era, block []fbconf.Setting) (fbconf.Setting, bool) {
	if era.Scope == DatabaseScope {
		if s, ok := fbconf.InForce(block, row.Name, f.Dialect()); ok {
			return s, true
		}
	}
	if f.Conf == nil {
		return fbconf.Setting{}, false
	}
	return f.Conf.Lookup(row.Name)
}

// Dialect returns the grammar by which the files are read.
func (f Files) Dialect() fbconf.Dialect {
	d := f.Version.dialect()
	d.Windows = f.Windows
	return d
}

// Show returns every setting the version knows as it is in force for a
// database, given by alias or path, or for the server when it is empty.
func (f Files) Show(database string) Shown {
	shown := Shown{Settings: []InForce{}, Warnings: []string{}}
	block, known := f.block(database)
	if database != "" && !known {
		shown.Warnings = append(shown.Warnings, fmt.Sprintf("%s is neither an alias nor the path of a database there, so only firebird.conf counts for it; check the name, or give databases.conf", database))
	}
	for _, row := range Known(f.Version) {
		shown.Settings = append(shown.Settings, f.inForce(row, block))
	}
	shown.boundByOthers(f.Version)
	shown.raiseLockTable(f.Version)
	shown.Warnings = append(shown.Warnings, f.warnings(block)...)
	shown.Fatal = f.fatal(shown)
	return shown
}

// inForce reads one setting.
func (f Files) inForce(row Setting, block []fbconf.Setting) InForce {
	era, _ := row.In(f.Version) // of Known
	mode := f.ServerMode()
	line, set := f.lookup(row, era, block)
	text := era.Default.In(mode)
	if f.Windows && era.Windows != (ByMode{}) {
		text = era.Windows.In(mode)
	}
	d := f.Dialect()
	n, on := d.Int(text), d.Bool(text)
	s := InForce{Name: row.Name, Set: set, Attaches: true}
	if set {
		text, n, on = line.Value, line.Int(d), line.Bool(d)
		s.Raw, s.File, s.Line = line.Raw, line.File, line.Line
	}
	s.Value = row.printed(f.Version, mode, n, on, text)
	switch row.Type {
	case Boolean:
		s.Means = s.Value
	case Word:
		s.Means = era.word(mode, text)
	case Text:
		s.Means = text
	case Integer:
		number, err := row.number(f.Version, mode, n, text)
		if s.Number, s.Attaches = number, err == nil; s.Attaches {
			s.Means = row.measure(number)
		} else {
			s.Means = "no database can be attached"
		}
	}
	return s
}

// boundByOthers lowers settings to those that bound them from above.
func (s *Shown) boundByOthers(v Version) {
	for i := range s.Settings {
		row, _ := Lookup(s.Settings[i].Name) // of the catalogue
		era, _ := row.In(v)
		most, ok := s.Get(era.AtMost)
		if this := &s.Settings[i]; ok && this.Number > most.Number {
			this.Number, this.Value = most.Number, most.Value
			this.Means = row.measure(most.Number)
		}
	}
}

// leastLockTable is the size of the lock table that 3.0 makes where LockMemSize
// is smaller, or negative, and had no minimum yet: on 3.0.11.33637 with 0, 1 or
// 20000 bytes 6590 slots were seen to attach and 6600 to crash, as with 64 KiB.
const leastLockTable = 64 * KiB

// raiseLockTable raises LockMemSize to what the lock manager of 3.0 makes of it.
// Whether the slots fit in that is another question, see [LockTableLeast].
func (s *Shown) raiseLockTable(v Version) {
	if !v.AtLeast(v30) || v.AtLeast(v40) {
		return
	}
	for i := range s.Settings {
		this := &s.Settings[i]
		if this.Name == LockMemSize && Bytes(this.Number) < leastLockTable {
			this.Number, this.Attaches = int64(leastLockTable), true
			this.Means = leastLockTable.String()
		}
	}
}

// Get returns a setting by its name in the catalogue, and false when the
// version does not know it.
func (s Shown) Get(name string) (InForce, bool) {
	for _, setting := range s.Settings {
		if setting.Name == name {
			return setting, true
		}
	}
	return InForce{}, false
}

// fatal says why a server with these files would not work, or "".
func (f Files) fatal(s Shown) string {
	for _, file := range []*fbconf.File{f.Conf, f.Databases} {
		if file != nil && file.Fatal() != "" {
			return file.Fatal()
		}
	}
	for _, setting := range s.Settings {
		if !setting.Attaches {
			return fmt.Sprintf("no database can be attached: %s = %s", setting.Name, setting.Raw)
		}
	}
	memory, _ := s.Get(LockMemSize)
	slots, _ := s.Get(LockHashSlots)
	if least := LockTableLeast(f.Version, slots.Number); Bytes(memory.Number) < least {
		return fmt.Sprintf("the server crashes at the first attach: %d slots need a LockMemSize of %d, and it is %d (Firebird issue 8885)", slots.Number, least, memory.Number)
	}
	return ""
}

// lockTableRaised is the version that raises LockMemSize to what the slots
// need.
var lockTableRaised = Version{5, 0, 4}

// LockTableLeast returns the least LockMemSize with which a server of the
// version survives its first attach, 0 when any is enough: 8 bytes a slot and
// 12.5 KiB, with which 31172 slots were seen to fit in 256 KiB and 31173 not, on
// 3.0.11 and 4.0.5 (issue 8885). 2.5 was not measured.
func LockTableLeast(v Version, slots int64) Bytes {
	const header = 12768
	if !v.AtLeast(v30) || v.AtLeast(lockTableRaised) {
		return 0
	}
	return Bytes(slots)*lockSlot + header
}

// warnings returns what the files say in vain.
func (f Files) warnings(block []fbconf.Setting) []string {
	var all []string
	add := func(place fbconf.Place, text string) {
		all = append(all, fmt.Sprintf("%s:%d: %s", place.File, place.Line, text))
	}
	for _, file := range []*fbconf.File{f.Conf, f.Databases} {
		if file == nil {
			continue
		}
		for _, w := range file.Warnings() {
			add(w.Place, w.Text)
		}
	}
	if f.Conf != nil {
		for _, s := range f.Conf.Settings() {
			if text := f.unknown(s); text != "" {
				add(s.Place, text)
			}
		}
	}
	for _, s := range block {
		text := f.unknown(s)
		if row, ok := Lookup(s.Key); ok && text == "" {
			if era, _ := row.In(f.Version); era.Scope == ServerScope {
				text = row.Name + " is a setting of the whole server and ignored in a block; move it to firebird.conf"
			}
		}
		if text != "" {
			add(s.Place, text)
		}
	}
	return all
}

// unknown says that the version does not know the key of a line, or "".
func (f Files) unknown(s fbconf.Setting) string {
	if !s.HasValue { // fbconf has a warning for it
		return ""
	}
	if row, ok := Lookup(s.Key); ok {
		if _, known := row.In(f.Version); known {
			return ""
		}
		return fmt.Sprintf("Firebird %s does not know %s and ignores it; delete the line", f.Version, row.Name)
	}
	if vendor, ok := LookupVendor(s.Key); ok {
		return fmt.Sprintf("%s is a setting of %s and ignored by stock Firebird", vendor.Name, vendor.Vendor)
	}
	if near, ok := Suggest(s.Key, f.Version); ok {
		return fmt.Sprintf("Firebird has no setting %s and ignores it; write %s if that is meant", s.Key, near.Name)
	}
	return fmt.Sprintf("Firebird has no setting %s and ignores it; delete the line", s.Key)
}
