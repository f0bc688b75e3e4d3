package rows

// Published is what others measured with the test, in rows per second.
type Published struct {
	Server string  `json:"server"` // what ran; "" when it is not said
	Insert float64 `json:"insert"`
	Update float64 `json:"update"` // 0 when it is not given, as with Delete
	Delete float64 `json:"delete"`
	Source string  `json:"source"`
	Note   string  `json:"note"` // what to know before comparing
}

// Where the figures are from.
const (
	ibsurgeon = "https://ib-aid.com/en/simple-insert-update-delete-test-for-firebird/"
	issue8551 = "https://github.com/FirebirdSQL/firebird/issues/8551"
)

// barriers is what the issue came to.
const barriers = "Super with defaults in docker on a virtual Linux: ended in write barriers of the file system, no setting"

// published are the figures, each of a million rows.
var published = []Published{
	{"", 6000, 5200, 7300, ibsurgeon, "commit included"},
	{"", 15688, 0, 0, ibsurgeon, "the printed example: 58.894 s, and 4.846 s for the commit"},
	{"Firebird 2.5.9", 12000, 9500, 16100, issue8551, barriers},
	{"Firebird 3.0.10", 5500, 1700, 1400, issue8551, barriers},
	{"Firebird 4.0.5", 5500, 1600, 1700, issue8551, barriers},
	{"Firebird 5.0.2", 5200, 1400, 1600, issue8551, barriers},
}

// PublishedFigures returns what others measured with the test.
func PublishedFigures() []Published { return append([]Published{}, published...) }
