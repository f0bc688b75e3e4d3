package differential

import (
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
)

// dice makes the choices of a generator, the same for the same seed.
type dice struct{ *rand.Rand }

// throw returns dice for a purpose. Those of one purpose do not depend on how
// often others are thrown.
func throw(seed uint64, purpose string) dice {
	h := fnv.New64a()
	h.Write([]byte(purpose)) // never fails
	return dice{rand.New(rand.NewPCG(seed, h.Sum64()))}
}

// pick returns one of a list.
func (d dice) pick(list ...string) string { return list[d.IntN(len(list))] }

// once in n times it is true.
func (d dice) once(n int) bool { return d.IntN(n) == 0 }

// pages returns a number of page buffers that is told from every default and
// bound, and is cheap.
func (d dice) pages() string { return strconv.Itoa(51 + d.IntN(1900)) }

// cased returns a word with some of its letters in the other case.
func (d dice) cased(word string) string {
	b := []byte(word)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' {
			if d.once(3) {
				b[i] ^= 0x20
			}
		}
	}
	return string(b)
}

// into inserts a piece somewhere into a text.
func (d dice) into(text, piece string) string {
	at := d.IntN(len(text) + 1)
	return text[:at] + piece + text[at:]
}

// intoLine inserts a piece somewhere into one of the lines of a text.
func (d dice) intoLine(text, piece string) string {
	return d.onLine(text, func(line string) string { return d.into(line, piece) })
}

// onLine changes one of the lines of a text, without its end.
func (d dice) onLine(text string, change func(line string) string) string {
	lines := strings.Split(text, "\n")
	n := len(lines)
	if n > 1 && lines[n-1] == "" {
		n--
	}
	i := d.IntN(n)
	lines[i] = change(lines[i])
	return strings.Join(lines, "\n")
}

// onValue changes the value of a line, from its "=" on, or the whole of a line
// without one.
func (d dice) onValue(text string, change func(value string) string) string {
	return d.onLine(text, func(line string) string {
		value := strings.TrimLeft(line[strings.IndexByte(line, '=')+1:], " \t")
		return line[:len(line)-len(value)] + change(value)
	})
}

// addLine puts a line before, between or after those of a text.
func (d dice) addLine(text, line string) string {
	lines := strings.SplitAfter(text, "\n")
	at := d.IntN(len(lines) + 1)
	if at == len(lines) && lines[at-1] != "" {
		lines[at-1] += "\n"
	}
	return strings.Join(lines[:at], "") + line + "\n" + strings.Join(lines[at:], "")
}

// line is a setting, its "=" spaced in one of the usual ways.
func (d dice) line(key, value string) string {
	return key + d.pick(" = ", " = ", "=", " =", "= ", "\t=\t") + value + "\n"
}

// paged is a line that gives the page buffers, the setting that every version
// tells.
func (d dice) paged(value string) string { return d.line("DefaultDbCachePages", value) }
