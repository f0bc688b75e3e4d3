package inspect

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
)

// TempFiles is temporary data that did not fit into TempCacheLimit.
type TempFiles struct {
	Files int           `json:"files"`
	Bytes confgen.Bytes `json:"bytes"`
}

// spills are how the names of files begin into which temporary data goes beyond
// TempCacheLimit (50:src/jrd/sort.cpp, RecordBuffer.cpp, recsrc/MergeJoin.cpp,
// tra.h). Data of global temporary tables, fb_table_, has no such limit.
var spills = []string{"fb_sort_", "fb_merge_", "fb_recbuf_", "fb_blob_", "fb_undo_"}

// tempFiles adds up the temporary files that processes have open. They have no
// name any more: the engine removes it as soon as such a file is open.
func tempFiles(pids []int) *TempFiles {
	var t TempFiles
	for _, pid := range pids {
		for link, target := range firebird.OpenFiles(pid) {
			name := filepath.Base(strings.TrimSuffix(target, " (deleted)"))
			if !slices.ContainsFunc(spills, func(spill string) bool { return strings.HasPrefix(name, spill) }) {
				continue
			}
			if info, err := os.Stat(link); err == nil { // else it was closed meanwhile
				t.Files++
				t.Bytes += confgen.Bytes(info.Size())
			}
		}
	}
	return &t
}
