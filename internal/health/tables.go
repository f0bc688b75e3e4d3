package health

import (
	"fmt"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/gstat"
	"github.com/fbtune/fbtune/internal/firebird/inspect"
)

// From when on the state of a table or an index is worth a word.
const (
	longChain     = 100    // versions of one record
	manyVersions  = 10_000 // of a table, when they are also more than its records
	manyFragments = 0.10   // of the records
	manyRecords   = 10_000 // below that a table is small whatever its state
	emptyFill     = 0.50   // of data pages; 80 % is what room for versions leaves
	manyPages     = 1_000  // below that nothing is gained by fewer
	manyNodes     = 10_000 // of an index
	mostOfOneKey  = 0.50   // of the entries of an index
)

// eachTable turns a look at a table into a rule about all.
func eachTable(d *inspect.Database, look func(gstat.Table) (finding, bool)) []finding {
	var all []finding
	for _, t := range d.Statistics.Tables {
		if f, ok := look(t); ok {
			all = append(all, f.of(t.DataPages))
		}
	}
	return all
}

// eachIndex turns a look at an index into a rule about all.
func eachIndex(d *inspect.Database, look func(gstat.Index) (finding, bool)) []finding {
	var all []finding
	for _, i := range d.Statistics.Indices {
		if f, ok := look(i); ok {
			all = append(all, f.of(i.LeafPages))
		}
	}
	return all
}

// versionChains finds tables in which many older versions are read past. Who
// keeps them is named when the server told.
func versionChains(d *inspect.Database) []finding {
	instead := fmt.Sprintf("find the oldest snapshot transaction in MON$TRANSACTIONS and have its program commit (fbtune inspect --connect names it), then run gfix -sweep %s", d.Path)
	keeper := ""
	if t, ok := oldestSnapshot(*d); ok {
		keeper = fmt.Sprintf("; transaction %d of attachment %d (%s), open for %s, keeps them", t.ID, t.Attachment, client(t), open(t))
		instead = fmt.Sprintf("have the program of attachment %d commit, then run gfix -sweep %s", t.Attachment, d.Path)
	} else if d.Activity != nil {
		instead = fmt.Sprintf("nothing keeps them now: run gfix -sweep %s", d.Path)
	}
	return eachTable(d, func(t gstat.Table) (finding, bool) {
		space := confgen.Bytes(float64(t.Versions) * t.VersionBytes)
		f := about(t.Name, "%d versions of %d records, up to %d of one", t.Versions, t.Records, t.MostVersions).
			does("reads past %d older versions (%s), up to %d for one record%s", t.Versions, space, t.MostVersions, keeper).
			instead("%s", instead)
		return f, t.MostVersions >= longChain || t.Versions >= manyVersions && t.Versions > t.Records
	})
}

func fragments(d *inspect.Database) []finding {
	page := d.Statistics.Header.PageSize
	return eachTable(d, func(t gstat.Table) (finding, bool) {
		f := about(t.Name, "%d fragments of %d records", t.Fragments, t.Records).
			does("reads more than one page for a record that stands in pieces").
			instead("back up and restore with gbak: records grew after they were stored, and are put together again")
		if t.RecordBytes > float64(page)/2 {
			f = f.instead("back up and restore with gbak -page_size of more than %d: records of %.0f bytes on average do not fit well", page, t.RecordBytes)
		}
		return f, t.Records >= manyRecords && float64(t.Fragments) >= manyFragments*float64(t.Records)
	})
}

func emptyPages(d *inspect.Database) []finding {
	return eachTable(d, func(t gstat.Table) (finding, bool) {
		f := about(t.Name, "data pages %.0f %% full", 100*t.Fill).
			does("reads %d pages where about %.0f would do, when it reads the whole table", t.DataPages, float64(t.DataPages)*t.Fill/usualFill).
			instead("nothing, if as much will be inserted again; else back up and restore with gbak")
		return f, t.DataPages >= manyPages && t.Fill > 0 && t.Fill < emptyFill
	})
}

// usualFill is how full pages are that leave room for versions.
const usualFill = 0.80

// deepIndices finds indices that a larger page would make less deep.
func deepIndices(d *inspect.Database) []finding {
	header := d.Statistics.Header
	return eachIndex(d, func(i gstat.Index) (finding, bool) {
		f := about(i.Name, "depth %d, %d leaf pages of %s", i.Depth, i.LeafPages, header.PageSize).
			does("reads %d pages from the root to a leaf for each lookup in %s of %s", i.Depth, i.Name, i.Table)
		if i.CurePageSize == 0 {
			return f.instead("shorten its keys of %.0f bytes, or index fewer columns: no page size makes it less than %d deep", i.KeyBytes, gstat.TooDeep), i.Depth >= gstat.TooDeep
		}
		estimate := i.DepthAt(header.PageSize, i.CurePageSize)
		return f.instead("back up and restore with gbak -page_size %d%s: %s", i.CurePageSize, needs(i.CurePageSize, d), estimate), i.Depth >= gstat.TooDeep
	})
}

// needs says from which version on there are pages of a size, when that is newer
// than the database's.
func needs(size confgen.Bytes, d *inspect.Database) string {
	version, known := d.Statistics.Header.ODS.Firebird()
	if !known || slices.Contains(confgen.PageSizes(version), size) {
		return ""
	}
	for _, v := range confgen.Lines() {
		if slices.Contains(confgen.PageSizes(v), size) {
			return fmt.Sprintf(" of Firebird %s", v)
		}
	}
	return ""
}

// duplicates finds indices that do not tell records apart.
func duplicates(d *inspect.Database) []finding {
	return eachIndex(d, func(i gstat.Index) (finding, bool) {
		share := float64(i.MostDuplicates) / float64(max(1, i.Nodes))
		f := about(i.Name, "%d entries, %d different keys", i.Nodes, i.Distinct()).
			does("finds %.0f %% of the entries of %s under one key, which tells those records apart from few, and keeps %s up at every change", 100*share, i.Table, i.Name).
			instead("drop it if no constraint needs it and nobody looks for the rare keys; else add a column that tells records apart")
		return f, i.Nodes >= manyNodes && share >= mostOfOneKey
	})
}
