package gstat

import (
	"fmt"
	"math"

	"github.com/fbtune/fbtune/confgen"
)

// TooDeep is the depth from which an index is worth larger pages: each lookup
// reads a page more than the usual three (Ann Harrison, firebird-support
// 2006-05/76096).
const TooDeep = 4

// indexHeader is how much of an index page is no entry (src/jrd/ods.h,
// offsetof(btree_page, btr_nodes) of ODS 11 to 13).
const indexHeader = 39

// innerNode is what an entry above the leaf pages takes beside its key at most:
// flags and lengths, the record's number, the page below (src/jrd/btn.cpp,
// IndexNode::getNodeSize).
const innerNode = 12

// DepthAt estimates how deep the index would be in pages of another size, when
// it is as deep as it is in pages of the given size.
//
// A page holds its entries and the first key of the next page, so with g times the
// room, g = (page' - 39) / (page - 39), it has
//
//	entries' = (entries + 1) x g - 1
//	leaves'  = leaves x entries / entries'
//	fan'     = (fan + 1) x g - 1
//	depth'   = 1 + log(leaves') / log(fan'), rounded up
//
// where fan is the entries of a page above the leaves, taken as full as those:
//
//	fan = entries x bytes of an entry / (bytes of a key + 12)
//
// Keys up there are taken whole, though they share what they begin with, so fan
// is too low rather than too high. The depth seen bounds it as well: levels of
// less than leaves^(1 / (depth-1)) would have made the index deeper, and of more
// than leaves^(1 / (depth-2)) less deep. Before 3.0 gstat does not print the
// length of keys, and the lower bound is taken.
func (i Index) DepthAt(page, other confgen.Bytes) Estimate {
	if i.Depth < 2 || i.LeafPages < 2 || page <= indexHeader || other <= indexHeader {
		return Estimate{Leaves: float64(i.LeafPages), Depth: i.Depth}
	}
	grows := float64(other-indexHeader) / float64(page-indexHeader)
	entries := i.entries()
	e := Estimate{Leaves: max(1, float64(i.LeafPages)*entries/((entries+1)*grows-1)), Fan: (i.fan()+1)*grows - 1, Depth: i.Depth}
	if e.Fan > 1 { // else entries are as long as a page, and no size helps
		const rounding = 1e-9
		e.Depth = 1 + int(math.Ceil(math.Log(e.Leaves)/math.Log(e.Fan)-rounding))
	}
	return e
}

// Estimate is the depth an index would have, and what it was computed from.
type Estimate struct {
	Leaves float64 // leaf pages
	Fan    float64 // entries of a page above the leaves; 0 when there is none
	Depth  int
}

// String is the derivation of the depth.
func (e Estimate) String() string {
	return fmt.Sprintf("depth %d = 1 + log(%.0f leaf pages) / log(%.1f entries a page above them), rounded up", e.Depth, e.Leaves, e.Fan)
}

// entries returns the entries of a leaf page.
func (i Index) entries() float64 { return max(1, float64(i.Nodes)/float64(i.LeafPages)) }

// fan returns the entries of a page above the leaves.
func (i Index) fan() float64 {
	leaves, levels := float64(i.LeafPages), float64(i.Depth-1)
	least := math.Pow(leaves, 1/levels)
	most := leaves // of an index of two levels the root holds them all
	if i.Depth > 2 {
		const over = 0.01 // of a level: at the bound itself the index were less deep
		most = math.Pow(leaves, 1/(levels-1+over))
	}
	if i.KeyBytes == 0 || i.NodeBytes == 0 {
		return least
	}
	return min(max(least, i.entries()*i.NodeBytes/(i.KeyBytes+innerNode)), most)
}

// cure returns the smallest page size, of any version, that makes the index
// less than too deep.
func (i Index) cure(page confgen.Bytes) confgen.Bytes {
	if i.Depth < TooDeep {
		return 0
	}
	versions := confgen.Lines()
	for _, other := range confgen.PageSizes(versions[len(versions)-1]) {
		if other > page && i.DepthAt(page, other).Depth < TooDeep {
			return other
		}
	}
	return 0
}
