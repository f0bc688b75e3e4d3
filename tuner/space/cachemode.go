package space

import (
	"fmt"
	"strconv"

	"github.com/fbtune/fbtune/confgen"
)

// The engine opens a database with O_DIRECT, past the system's file cache, when
// its page buffers are not fewer than FileSystemCacheThreshold. Points on both
// sides of that cliff differ in more than their pages, so a space that has such
// points also says which cache mode each of them has: by UseFileSystemCache from
// 4.0 on, before that by a threshold of 0 or one above all caches.

// isCacheMode reports whether a setting chooses the cache mode.
func isCacheMode(name string) bool {
	return name == confgen.UseFileSystemCache || name == confgen.FileSystemCacheThreshold
}

// cacheModeSetting returns the setting by which a version chooses the cache
// mode, which overrides the other one.
func cacheModeSetting(v confgen.Version) string {
	row, _ := confgen.Lookup(confgen.UseFileSystemCache)
	if _, known := row.In(v); known {
		return confgen.UseFileSystemCache
	}
	return confgen.FileSystemCacheThreshold
}

// cacheModeWords are the values of that setting: the system's cache used, and
// not used.
func cacheModeWords(v confgen.Version) (used, unused string) {
	if cacheModeSetting(v) == confgen.UseFileSystemCache {
		words := confgen.BooleanWords(v)
		return words[0], words[1]
	}
	text, _ := confgen.Default(confgen.FileSystemCacheThreshold, v, confgen.Super)
	return text, "0"
}

// cliff returns the number of page buffers from which a configuration opens
// files with O_DIRECT, and false where page buffers decide nothing.
func cliff(v confgen.Version, mode confgen.Mode, settings map[string]string) (int64, bool) {
	if _, set := lookup(settings, confgen.UseFileSystemCache); set && cacheModeSetting(v) == confgen.UseFileSystemCache {
		return 0, false
	}
	row, _ := confgen.Lookup(confgen.FileSystemCacheThreshold)
	text, set := lookup(settings, row.Name)
	if !set {
		text, _ = row.Default(v, mode)
	}
	n, err := row.Number(v, mode, text)
	return n, err == nil // an error: the version has no threshold
}

// cacheModeOf returns the value of the version's setting that does what a whole
// configuration does.
func (s *Space) cacheModeOf(mode confgen.Mode, settings map[string]string) string {
	used, unused := cacheModeWords(s.Version)
	at, decides := cliff(s.Version, mode, settings)
	if !decides {
		if text, set := lookup(settings, confgen.UseFileSystemCache); set {
			return boolean(s.Version, text)
		}
		return used
	}
	if number(s.Version, mode, settings, confgen.DefaultDbCachePages) >= at {
		return unused
	}
	return used
}

// pinCacheMode makes sure that the points of a space differ in the cache mode
// only where they say so.
func (s *Space) pinCacheMode() error {
	lowest, highest := s.pageRange()
	name := cacheModeSetting(s.Version)
	at, decides := cliff(s.Version, s.Modes[0], s.Held)
	crossed := decides && lowest < at && highest >= at
	_, held := s.Held[confgen.FileSystemCacheThreshold]
	switch {
	case !crossed:
		return nil
	case held && name == confgen.FileSystemCacheThreshold, held && !s.has(name):
		return fmt.Errorf("%s = %s lies within the page caches to be tried, %d to %d pages: those below it use the system's cache and the others do not, which cannot be compared; fix it to 0 or to %d",
			confgen.FileSystemCacheThreshold, s.Held[confgen.FileSystemCacheThreshold], lowest, highest, above(at, highest))
	case name == confgen.UseFileSystemCache && s.has(name):
		return nil // every point says it
	}
	used, _ := cacheModeWords(s.Version)
	if name == confgen.UseFileSystemCache {
		s.Held[name] = used
		return nil
	}
	pinned := strconv.FormatInt(above(at, highest), 10)
	if !s.has(name) {
		s.Held[name] = pinned
		return nil
	}
	s.written[name] = written{instead: []string{pinned}, text: func(settings map[string]string) string {
		mode := s.Modes[0]
		if text, ok := settings[confgen.ServerMode]; ok {
			mode = confgen.EngineMode(text)
		}
		if settings[name] == used && number(s.Version, mode, settings, confgen.DefaultDbCachePages) >= at {
			return pinned
		}
		return settings[name]
	}}
	return nil
}

// above is a threshold that is above all page caches: the default, doubled
// until it is more than twice the highest, as the advice has it.
func above(threshold, highest int64) int64 {
	for threshold = max(threshold, 1); threshold <= 2*highest; {
		threshold *= 2
	}
	return threshold
}

// pageRange returns the fewest and the most page buffers that points have.
func (s *Space) pageRange() (lowest, highest int64) {
	first := true
	for _, mode := range s.Modes {
		pages := []int64{number(s.Version, mode, s.Held, confgen.DefaultDbCachePages)}
		if i := s.index(confgen.DefaultDbCachePages); i >= 0 {
			if ladder, ok := s.Dimensions[i].Ladder(mode); ok {
				pages = ladder.numbers
			}
		}
		for _, n := range pages {
			if first {
				lowest, highest, first = n, n, false
			}
			lowest, highest = min(lowest, n), max(highest, n)
		}
	}
	return lowest, highest
}
