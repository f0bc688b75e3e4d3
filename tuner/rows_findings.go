package tuner

import (
	"fmt"
	"strings"

	"github.com/fbtune/fbtune/probe/diskbench"
	"github.com/fbtune/fbtune/workload/rows"
)

// slowCommit is from when the commit's part of a phase says something of the
// disk. With its write cache on it is 7 to 10 % of inserts and updates of 150,000
// rows, and less of a million (measured on 3.0.11, forced writes on).
const slowCommit = 0.20

// RowsFindings returns what phases mean for the disk below the database. Of few
// rows much is left in the page cache for the commit: then it is but a note.
func RowsFindings(phases []rows.Phase) []diskbench.Finding {
	var slow []string
	severity, few := diskbench.Warning, ""
	for _, p := range phases {
		if p.CommitShare <= slowCommit {
			continue
		}
		slow = append(slow, fmt.Sprintf("%s %.2f s of %.2f s (%.1f %%)", p.Name, p.CommitSeconds, p.Seconds+p.CommitSeconds, 100*p.CommitShare))
		if p.Rows < rows.Default {
			severity, few = diskbench.Note, fmt.Sprintf("; of %d rows it is a larger part than of the %d that the test is made for", p.Rows, rows.Default)
		}
	}
	if len(slow) == 0 {
		return []diskbench.Finding{}
	}
	return []diskbench.Finding{{
		Rule: "slow-commit", Severity: severity,
		Says:     "the commit takes over 20 % of the time: the write cache of the disk is off or missing, or its flush is slow; this is your disk's flush cost; page buffers will not fix it",
		Evidence: "the commit, which writes what is left in the page cache, took: " + strings.Join(slow, ", ") + few,
		Instead:  "measure the disk (fbtune bench disk), and use one whose write cache is protected against power cuts; forced writes off, nobarrier or barrier=0 hide the cost, and a power cut then means corruption",
	}}
}
