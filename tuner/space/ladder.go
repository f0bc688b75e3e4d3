package space

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/confgen"
)

// A Ladder is the values of a setting, lowest first; words are in the order of
// the catalogue.
type Ladder struct {
	Values []string // as written in firebird.conf
	// At is where each value lies, 0 for the lowest to 1 for the highest, on
	// the logarithm of the value; evenly spaced for words.
	At []float64
	// Default is the rung of the engine's default, Off when a range leaves it
	// out.
	Default int

	numbers []int64 // what the engine makes of the values; nil for words
}

// wordLadder returns the ladder of a setting whose values have no order.
func wordLadder(words []string, def string) Ladder {
	l := Ladder{Values: words, At: make([]float64, len(words)), Default: Off}
	for i, word := range words {
		l.At[i] = float64(i) / math.Max(1, float64(len(words)-1))
		if strings.EqualFold(word, def) {
			l.Default = i
		}
	}
	return l
}

// numberLadder returns the ladder of an integer setting with these numbers, in
// any order and given more than once, each replaced by what the engine makes of
// it.
func numberLadder(row confgen.Setting, v confgen.Version, mode confgen.Mode, numbers []int64) (Ladder, error) {
	var l Ladder
	for _, n := range numbers {
		made, err := row.Number(v, mode, spell(row, v, n))
		if err != nil {
			return Ladder{}, err
		}
		l.numbers = append(l.numbers, made)
	}
	slices.Sort(l.numbers)
	l.numbers = slices.Compact(l.numbers)
	for _, n := range l.numbers {
		l.Values = append(l.Values, spell(row, v, n))
	}
	l.place()
	def, err := defaultNumber(row, v, mode)
	if err != nil {
		return Ladder{}, err
	}
	l.Default = slices.Index(l.numbers, def)
	return l, nil
}

// defaultNumber returns the engine's default of an integer setting.
func defaultNumber(row confgen.Setting, v confgen.Version, mode confgen.Mode) (int64, error) {
	def, _ := row.Default(v, mode)
	return row.Number(v, mode, def)
}

// spell writes a number as firebird.conf of the version takes it.
func spell(row confgen.Setting, v confgen.Version, n int64) string {
	if row.Unit == confgen.UnitBytes && n > 0 {
		return confgen.FormatSize(confgen.Bytes(n), v)
	}
	return strconv.FormatInt(n, 10)
}

// place sets At from the numbers. What has no logarithm, 0 (off, as a rule) and
// less, lies as far below the rest as the first step of the rest is long.
func (l *Ladder) place() {
	first := slices.IndexFunc(l.numbers, func(n int64) bool { return n > 0 })
	if first < 0 {
		first = len(l.numbers)
	}
	logs := make([]float64, len(l.numbers))
	for i, n := range l.numbers[first:] {
		logs[first+i] = math.Log2(float64(n))
	}
	step := 1.0
	if first+1 < len(logs) {
		step = logs[first+1] - logs[first]
	}
	for i := first - 1; i >= 0; i-- {
		if i+1 < len(logs) {
			logs[i] = logs[i+1] - step
		}
	}
	l.At = make([]float64, len(logs))
	if len(logs) < 2 {
		return
	}
	low, high := logs[0], logs[len(logs)-1]
	for i, log := range logs {
		l.At[i] = (log - low) / (high - low)
	}
}

// nearest returns the rung that a text is, or comes nearest to, and whether it
// is the very value to the engine.
func (l Ladder) nearest(v confgen.Version, mode confgen.Mode, name, text string) (rung int, same bool) {
	row, known := confgen.Lookup(name)
	if l.numbers == nil {
		if known && row.Type == confgen.Boolean {
			text = boolean(v, text)
		}
		rung = slices.IndexFunc(l.Values, func(word string) bool { return strings.EqualFold(word, text) })
		if rung < 0 {
			return max(l.Default, 0), false
		}
		return rung, true
	}
	n, err := row.Number(v, mode, text)
	if !known || err != nil {
		return max(l.Default, 0), false
	}
	rung = slices.Index(l.numbers, n)
	if rung >= 0 {
		return rung, true
	}
	gap := func(other int64) float64 {
		return math.Abs(math.Log2(float64(max(n, 1))) - math.Log2(float64(max(other, 1))))
	}
	for i, other := range l.numbers {
		if rung < 0 || gap(other) < gap(l.numbers[rung]) {
			rung = i
		}
	}
	return rung, false
}

// boolean spells a boolean as the ladder of its setting does.
func boolean(v confgen.Version, text string) string {
	words := confgen.BooleanWords(v)
	if v.Dialect().Bool(text) {
		return words[0]
	}
	return words[1]
}

// Rungs of a ladder that is made for a range.
const (
	fewestRungs = 4
	mostRungs   = 12
)

// between returns numbers from low to high, both included, a constant factor
// apart: as near to step as at least fewestRungs and at most mostRungs of them
// allow. round makes each one that its setting likes.
func between(low, high int64, step float64, round func(int64) int64) []int64 {
	numbers := []int64{low, high}
	if low <= 0 { // has no logarithm; the next is where counting starts
		low = min(max(round(1), 1), high)
		numbers = append(numbers, low)
	}
	if low >= high {
		return numbers
	}
	span := math.Log(float64(high) / float64(low))
	n := min(max(int(math.Round(span/math.Log(step)))+1, fewestRungs), mostRungs)
	for i := 1; i < n-1; i++ {
		number := round(int64(math.Round(float64(low) * math.Exp(span*float64(i)/float64(n-1)))))
		numbers = append(numbers, min(max(number, low), high))
	}
	return numbers
}

// multipleOf returns a rounding to the nearest multiple of unit, at least one.
func multipleOf(unit int64) func(int64) int64 {
	return func(n int64) int64 { return max(1, (n+unit/2)/unit) * unit }
}

// prime returns the largest prime that is not above n, at least 2.
func prime(n int64) int64 {
	for ; n > 2; n-- {
		divisor := int64(2)
		for divisor*divisor <= n && n%divisor != 0 {
			divisor++
		}
		if divisor*divisor > n {
			return n
		}
	}
	return 2
}

// A span is a range that a person gave as Key=lo..hi.
type span struct {
	name      string
	low, high int64
}

// parseRange reads Key=lo..hi for a version.
func parseRange(text string, v confgen.Version) (span, error) {
	key, ends, ok := strings.Cut(text, "=")
	lowText, highText, both := strings.Cut(ends, "..")
	row, known := confgen.Lookup(strings.TrimSpace(key))
	switch {
	case !ok || !both:
		return span{}, fmt.Errorf("range %q: write Key=lo..hi, such as DefaultDbCachePages=1024..16384", text)
	case !known:
		return span{}, fmt.Errorf("range %q: fbtune knows no setting %s", text, strings.TrimSpace(key))
	case row.Type != confgen.Integer:
		return span{}, fmt.Errorf("range %q: %s is not a number; fix it by --fix, or name it by --only", text, row.Name)
	}
	r := span{name: row.Name}
	for _, end := range []struct {
		text string
		into *int64
	}{{lowText, &r.low}, {highText, &r.high}} {
		value := strings.TrimSpace(end.text)
		if value == "" {
			return span{}, fmt.Errorf("range %q: write both ends, such as 1024..16384", text)
		}
		if err := row.CheckValue(v, value); err != nil {
			return span{}, fmt.Errorf("range %q: %w", text, err)
		}
		// Only Super and the others differ in defaults, and the ends of a range
		// are no defaults.
		n, err := row.Number(v, confgen.Super, value)
		if err != nil {
			return span{}, fmt.Errorf("range %q: %w", text, err)
		}
		*end.into = n
	}
	if cmp.Compare(r.low, r.high) >= 0 {
		return span{}, fmt.Errorf("range %q: Firebird %s takes it from %d to %d; write the smaller end first", text, v, r.low, r.high)
	}
	return r, nil
}

// product is a*b, saturating.
func product(a, b int) int {
	if b != 0 && a > math.MaxInt/b {
		return math.MaxInt
	}
	return a * b
}
