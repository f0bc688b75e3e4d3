package tuner

import "github.com/fbtune/fbtune/confgen"

// PublishedSize is a database of a published series of sizes.
type PublishedSize struct {
	Bytes           confgen.Bytes `json:"bytes"`
	OpsPerSecond    float64       `json:"ops_per_second"`
	LoadMBPerSecond float64       `json:"load_mb_per_second"` // as printed; 0 where none is
}

// publishedSizes are figures of IBSurgeon's series of twelve sizes: Firebird
// 2.5.2 SuperServer on Windows, 16 GB of memory, two SATA disks in RAID 1, 20
// connections. 9 to 30 GB: "Firebird performance degradation: tests, myths and
// truth", 2014; 1.7 TB: "Tuning 1.7 Terabyte Firebird SQL database", 2014. Of the
// sizes between the first and the eleventh only a picture is at hand here, which
// is not copied by eye. Their GB are of 1024^3 bytes: the second article's table
// has 38,880,344 pages of 16 KiB as 607,505.3 MB.
var publishedSizes = []PublishedSize{
	{Bytes: gib(9.04), OpsPerSecond: 494.73, LoadMBPerSecond: 3.65},
	{Bytes: gib(30.3), OpsPerSecond: 407.97, LoadMBPerSecond: 3.28},
	{Bytes: gib(1814), OpsPerSecond: 169.33},
}

// gib returns a number of GiB in bytes.
func gib(n float64) confgen.Bytes { return confgen.Bytes(n * float64(confgen.GiB)) }

// slowestPublishedLoad is the slowest load of the published series, in bytes per
// second.
func slowestPublishedLoad() float64 {
	slowest := 0.0
	for _, p := range publishedSizes {
		if p.LoadMBPerSecond > 0 && (slowest == 0 || p.LoadMBPerSecond < slowest) {
			slowest = p.LoadMBPerSecond
		}
	}
	return slowest * 1e6
}
