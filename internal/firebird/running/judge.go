package running

import (
	"fmt"
	"maps"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
)

// judge compares what was read with what the engine makes of the settings.
func (s *Server) judge(seen observed) ([]Effective, error) {
	mode := s.Mode()
	pages, err := s.expect(confgen.DefaultDbCachePages)
	if err != nil {
		return nil, err
	}
	slots, err := s.expect(confgen.LockHashSlots)
	if err != nil {
		return nil, err
	}
	lockMem, err := s.expect(confgen.LockMemSize)
	if err != nil {
		return nil, err
	}
	direct, err := s.expectDirect(pages)
	if err != nil {
		return nil, err
	}
	list := []Effective{
		compare(confgen.ServerMode, string(seen.mode), string(mode), seen.mode == mode, "process model"),
		compare(confgen.DefaultDbCachePages, fmt.Sprint(seen.pageBuffers), fmt.Sprint(pages), seen.pageBuffers == pages, "MON$DATABASE"),
		compare(confgen.LockHashSlots, fmt.Sprint(seen.lockSlots), fmt.Sprint(slots), seen.lockSlots == slots, "fb_lock_print"),
		// The table grows in steps of LockMemSize, so it may be larger.
		compare(confgen.LockMemSize, fmt.Sprint(seen.lockBytes), fmt.Sprint(lockMem), seen.lockBytes >= lockMem, "fb_lock_print"),
		compare(CacheMode, cacheMode(seen.direct), cacheMode(direct), seen.direct == direct, "flags of the open file"),
	}
	shown := map[string]int{}
	for i, e := range list {
		shown[e.Name] = i
	}
	for _, name := range slices.Sorted(maps.Keys(s.Settings)) {
		row, ok := confgen.Lookup(name)
		if !ok {
			continue
		}
		read, err := s.lookUp(row, s.Settings[name], seen.table)
		if err != nil {
			return nil, err
		}
		at, twice := shown[row.Name]
		switch {
		case twice:
			list[at] = list[at].confirmed(read)
		case read.State != NotVerifiable || row.Name != confgen.FileSystemCacheThreshold: // which CacheMode verifies
			list = append(list, read)
		}
	}
	return list, nil
}

// expect returns the number the engine makes of a setting as written, or of
// its default.
func (s *Server) expect(name string) (int64, error) {
	row, ok := confgen.Lookup(name)
	if !ok {
		return 0, fmt.Errorf("%s is not in the catalogue", name)
	}
	text := setting(s.Settings, name)
	if text == "" {
		text, _ = row.Default(s.Installation.Version, s.Mode())
	}
	return row.Number(s.Installation.Version, s.Mode(), text)
}

// expectDirect reports whether the engine keeps a database with so many page
// buffers out of the operating system's cache: as UseFileSystemCache says where
// it is written, else from FileSystemCacheThreshold on, where the version has
// one (50:src/jrd/pag.cpp:1170-1177).
func (s *Server) expectDirect(pages int64) (bool, error) {
	text := setting(s.Settings, confgen.UseFileSystemCache)
	if row, ok := confgen.Lookup(confgen.UseFileSystemCache); ok && text != "" {
		if _, known := row.In(s.Installation.Version); known {
			use, err := row.Means(s.Installation.Version, s.Mode(), text)
			return use == "false", err
		}
	}
	row, _ := confgen.Lookup(confgen.FileSystemCacheThreshold)
	if _, known := row.In(s.Installation.Version); !known {
		return false, nil
	}
	threshold, err := s.expect(confgen.FileSystemCacheThreshold)
	return pages >= threshold, err
}

// lookUp judges a setting that was written by the server's own table of them.
// Both texts go through the engine's rules, for the table holds some numbers
// before they are moved to their bounds (LockHashSlots) and others after
// (TcpRemoteBufferSize).
func (s *Server) lookUp(row confgen.Setting, text string, table configtable.Table) (Effective, error) {
	entry, ok := table[row.Name]
	if !ok {
		return Effective{Name: row.Name, Value: text, State: NotVerifiable}, nil
	}
	want, err := s.engineTakes(row, text)
	if err != nil {
		return Effective{}, err
	}
	got, err := s.engineTakes(row, entry.Value)
	if err != nil {
		return Effective{}, err
	}
	return compare(row.Name, got, want, got == want && entry.Set, "RDB$CONFIG, from "+entry.Source), nil
}

// engineTakes returns what the engine makes of a setting's text, exactly.
func (s *Server) engineTakes(row confgen.Setting, text string) (string, error) {
	if row.Type != confgen.Integer {
		return row.Means(s.Installation.Version, s.Mode(), text)
	}
	n, err := row.Number(s.Installation.Version, s.Mode(), text)
	return fmt.Sprint(n), err
}

func compare(name, got, want string, same bool, how string) Effective {
	if same {
		return Effective{Name: name, Value: got, State: Verified, Note: how}
	}
	return Effective{Name: name, Value: got, State: Contradicted, Note: how + "; expected " + want}
}

// confirmed returns e together with a second reading of the same setting: a
// contradiction outweighs a confirmation.
func (e Effective) confirmed(second Effective) Effective {
	switch {
	case e.State == Contradicted || second.State == NotVerifiable:
		return e
	case second.State == Contradicted:
		return second
	}
	e.Note += "; " + second.Note
	return e
}

func cacheMode(direct bool) string {
	if direct {
		return "O_DIRECT"
	}
	return "buffered"
}
