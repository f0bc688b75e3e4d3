package confgen

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/fbtune/fbtune/internal/fbconf"
)

// ParseSize returns what Firebird 3.0 and newer make of the text of an integer
// setting: minus signs and blanks before digits and one suffix k, m or g,
// powers of 1024. Anything else is 0, as "64MB", "1.5G" or "4 K" are, without
// a word in the log. Overflow wraps, as in the engine.
func ParseSize(text string) int64 { return fbconf.Dialect{}.Int(text) }

// flagSize is what ParseSizeFlag understands.
var flagSize = regexp.MustCompile(`^([0-9]+(?:\.[0-9]+)?)\s*(?:([kmgtp])(?:i?b)?|b)?$`)

// flagUnits are the suffixes of ParseSizeFlag. K is 1024 there as in Firebird.
var flagUnits = map[string]Bytes{"": 1, "k": KiB, "m": MiB, "g": GiB, "t": TiB, "p": PiB}

// ParseSizeFlag reads an amount of memory or storage that a person wrote on
// the command line: "24G", "64M", "1.5GiB", "512 MB". Units are powers of
// 1024, as in firebird.conf. What may be a slip is an error that says what to
// write: no unit on less than a mebibyte, less than a byte, more than a
// pebibyte.
func ParseSizeFlag(text string) (Bytes, error) {
	fail := func(hint string) (Bytes, error) {
		return 0, fmt.Errorf("parse size %q: %s", text, hint)
	}
	match := flagSize.FindStringSubmatch(strings.ToLower(strings.TrimSpace(text)))
	if match == nil {
		return fail("write a number and a unit, such as 24G, 1.5G or 64M")
	}
	number, err := strconv.ParseFloat(match[1], 64)
	if err != nil {
		return fail("write a number and a unit, such as 24G, 1.5G or 64M")
	}
	bytes := number * float64(flagUnits[match[2]])
	plain := !strings.ContainsAny(strings.ToLower(text), "kmgtpb")
	switch {
	case bytes > float64(PiB):
		return fail("this is more than 1 PiB; check the unit")
	case plain && bytes < float64(MiB):
		return fail(fmt.Sprintf("this would be %s bytes; write a unit, such as %sG or %sM", match[1], match[1], match[1]))
	case bytes < 1:
		return fail("this is less than a byte; write a size such as 64M")
	}
	return Bytes(math.Round(bytes)), nil
}

// settingSuffixes are the suffixes FormatSize writes, largest first. There is
// no G: 1536M beside 2048M is easier compared than 1536M beside 2G.
var settingSuffixes = [...]struct {
	size   Bytes
	letter string
}{{MiB, "M"}, {KiB, "K"}}

// FormatSize writes b as firebird.conf of version v takes it: with the largest
// suffix that keeps it exact, or in full on 2.5, which knows no suffixes.
func FormatSize(b Bytes, v Version) string {
	if v.AtLeast(firstWithSuffixes) {
		for _, s := range settingSuffixes {
			if b >= s.size && b%s.size == 0 {
				return strconv.FormatInt(int64(b/s.size), 10) + s.letter
			}
		}
	}
	return strconv.FormatInt(int64(b), 10)
}
