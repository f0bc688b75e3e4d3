package tuner

// Chart is figures against the size of a database, for whoever draws them: the
// terminal or a report.
type Chart struct {
	Title  string   `json:"title"`
	YLabel string   `json:"y_label"` // with the unit; y begins at 0, x is the size in bytes, on a log scale
	Series []Series `json:"series"`
	Marks  []Mark   `json:"marks"` // sizes that mean something, the smallest first
}

// Series is one line of a chart.
type Series struct {
	Name      string  `json:"name"`
	Published bool    `json:"published"` // by others, on another machine
	Points    []Point `json:"points"`    // the smallest x first
}

// Point is one figure.
type Point struct {
	X    float64 `json:"x"` // bytes
	Y    float64 `json:"y"`
	Low  float64 `json:"low"` // of the 95 % interval of y; 0 without one
	High float64 `json:"high"`
}

// Mark is a size beside the figures.
type Mark struct {
	Name string  `json:"name"` // RAM, cap or page cache
	X    float64 `json:"x"`    // bytes
}
