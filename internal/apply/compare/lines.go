package compare

import (
	"slices"
	"strings"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// Line is a line that only one of two files has.
type Line struct {
	File string `json:"file"` // its name, without directory
	Side string `json:"side"` // "a" or "b"
	Line int    `json:"line"` // from 1
	Text string `json:"text"` // without line end
}

// lines lists the lines that only one of two files of a name has, in the order
// of the files, without the given ones.
func lines(file string, a, b *fbconf.File, given [2]map[int]bool) []Line {
	x, y := split(a), split(b)
	var all []Line
	add := func(side int, lines []string, from, to int) {
		for i := from; i < to; i++ {
			if !given[side][i+1] {
				all = append(all, Line{File: file, Side: [...]string{"a", "b"}[side], Line: i + 1, Text: strings.TrimSuffix(lines[i], "\n")})
			}
		}
	}
	i, j := 0, 0
	for _, m := range matches(x, y) {
		add(0, x, i, m.i)
		add(1, y, j, m.j)
		i, j = m.i+1, m.j+1
	}
	add(0, x, i, len(x))
	add(1, y, j, len(y))
	return all
}

// split is a file's lines with their ends.
func split(f *fbconf.File) []string {
	if f == nil {
		return nil
	}
	return slices.Collect(strings.Lines(string(f.Bytes())))
}

// match is a line that both files have: its index in each.
type match struct{ i, j int }

// tableLimit bounds the table of matches: files of 2,000 changed lines each.
const tableLimit = 4 << 20

// matches returns a longest common subsequence of two lists of lines. Lists
// that differ in more lines than the table may hold match at both ends only.
func matches(x, y []string) []match {
	var head, tail []match
	from := 0
	for from < min(len(x), len(y)) && x[from] == y[from] {
		head = append(head, match{from, from})
		from++
	}
	i, j := len(x), len(y)
	for i > from && j > from && x[i-1] == y[j-1] {
		i, j = i-1, j-1
		tail = append(tail, match{i, j})
	}
	slices.Reverse(tail)
	middle := longest(x[from:i], y[from:j])
	for k := range middle {
		middle[k].i += from
		middle[k].j += from
	}
	return slices.Concat(head, middle, tail)
}

// longest is the textbook's table: at each place the length of what is common
// to the rests of both lists.
func longest(x, y []string) []match {
	width := len(y) + 1
	if (len(x)+1)*width > tableLimit {
		return nil
	}
	table := make([]int32, (len(x)+1)*width)
	for i := len(x) - 1; i >= 0; i-- {
		for j := len(y) - 1; j >= 0; j-- {
			if x[i] == y[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	var found []match
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] == y[j]:
			found = append(found, match{i, j})
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
	return found
}
