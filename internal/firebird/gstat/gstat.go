// Package gstat reads what gstat prints about a database: its header, and how
// full, deep and worn its tables and indices are.
//
// It takes the forms of Firebird 2.5 to 5.0, of gstat -h, -a, -d, -i and -r, as
// the program prints them and as the services API returns them
// (src/utilities/gstat/dba.epp and ppg.cpp of each version).
package gstat

import (
	"cmp"
	"slices"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird/dbheader"
)

// Statistics is what gstat says about a database. Tables and indices are the
// largest first.
type Statistics struct {
	Database string // the file as gstat names it; empty when the output does not
	Header   dbheader.Header
	Pages    bool // whether tables and indices were analysed, which -h does not
	Records  bool // whether records, versions and fragments were counted, which takes -r
	Tables   []Table
	Indices  []Index
	Doubts   []string // what gstat could not read, or that the output is not whole
}

// Table is what gstat says about the pages of a table. What the version or the
// switches do not show is 0.
type Table struct {
	Name          string        `json:"table"`
	Size          confgen.Bytes `json:"size_bytes"` // pointer, data and blob pages, as 5.0's "Table size" adds them up
	DataPages     int64         `json:"data_pages"`
	PointerPages  int64         `json:"pointer_pages"`        // from 3.0 on
	BlobPages     int64         `json:"blob_pages"`           // from 3.0 on, by -r
	EmptyPages    int64         `json:"empty_pages"`          // from 3.0 on
	Fill          float64       `json:"fill"`                 // part of the data pages in use, 0 to 1
	Records       int64         `json:"records"`              // by -r, as are all that follow
	RecordBytes   float64       `json:"average_record_bytes"` // as stored, packed
	Versions      int64         `json:"versions"`             // older versions of records
	VersionBytes  float64       `json:"average_version_bytes"`
	MostVersions  int64         `json:"most_versions"` // of one record
	Fragments     int64         `json:"fragments"`     // pieces of records that do not stand on one page; from 3.0 on
	FragmentBytes float64       `json:"average_fragment_bytes"`
}

// Index is what gstat says about an index. What the version does not show is 0.
type Index struct {
	Table          string        `json:"table"`
	Name           string        `json:"index"`
	Size           confgen.Bytes `json:"size_bytes"`         // of the leaf pages; gstat does not count the others
	Depth          int           `json:"depth"`              // pages read from the root to a leaf
	LeafPages      int64         `json:"leaf_pages"`         //
	Nodes          int64         `json:"nodes"`              // entries, one for each record version with another key
	NodeBytes      float64       `json:"average_node_bytes"` // of an entry in a leaf page; from 3.0 on
	KeyBytes       float64       `json:"average_key_bytes"`  // of a whole key, before what it has in common with the last is taken off; from 3.0 on
	DataBytes      float64       `json:"average_data_bytes"` // of what a key has not in common with the last
	Duplicates     int64         `json:"duplicates"`         // entries with the key of the entry before
	MostDuplicates int64         `json:"most_duplicates"`    // of one key
	Selectivity    float64       `json:"selectivity"`        // 1 / distinct keys, as SET STATISTICS computes it; 0 when empty
	CurePageSize   confgen.Bytes `json:"cure_page_size"`     // smallest page size that makes a depth of 4 and more 3 or less, see [Index.DepthAt]; 0 when none does or none need

	packedKey float64 // bytes of a key as it stands in an entry
	packing   float64 // whole keys divided by packed ones
}

// Distinct returns the number of different keys.
func (i Index) Distinct() int64 { return i.Nodes - i.Duplicates }

// finish computes what follows from the figures, and puts the largest first.
func (s *Statistics) finish() {
	page := s.Header.PageSize
	for n := range s.Tables {
		t := &s.Tables[n]
		t.Size = confgen.Pages(t.PointerPages + t.DataPages + t.BlobPages).Of(page)
	}
	for n := range s.Indices {
		i := &s.Indices[n]
		i.Size = confgen.Pages(i.LeafPages).Of(page)
		i.KeyBytes = i.packedKey * i.packing
		if i.Distinct() > 0 {
			i.Selectivity = 1 / float64(i.Distinct())
		}
		i.CurePageSize = i.cure(page)
	}
	slices.SortStableFunc(s.Tables, func(a, b Table) int { return cmp.Compare(b.Size, a.Size) })
	slices.SortStableFunc(s.Indices, func(a, b Index) int { return cmp.Compare(b.Size, a.Size) })
}
