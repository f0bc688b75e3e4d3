package fbconf

import (
	"math"
	"strings"
)

// Int converts the text of a value as the engine's integer parameters do.
//
// Since 3.0 a value is blanks, any number of minus signs, decimal digits and at
// most one of k, m, g (powers of 1024); everything else, such as "64MB",
// "+5", "0x10" or "4 K", is 0. The sum is a 64-bit integer without a check for
// overflow, so it wraps. 2.5 calls atoi: the leading digits count, suffixes do
// not, and the result is cut to 32 bits (saturated on Windows).
func (d Dialect) Int(value string) int64 {
	if d.Legacy() {
		return atoi(cString(value), d.Windows)
	}
	return suffixedInteger(cString(strings.Trim(value, " \t")))
}

// Bool converts the text of a value as the engine's boolean parameters do:
// true for a text that atoi makes non-zero and, since 3.0, for "true", "yes"
// and "y" in any case. "on" and "enabled" are false.
func (d Dialect) Bool(value string) bool {
	value = cString(value)
	if atoi(value, d.Windows) != 0 {
		return true
	}
	if d.Legacy() {
		return false
	}
	switch foldASCII(value) {
	case "true", "yes", "y":
		return true
	}
	return false
}

// suffixedInteger is the number parser of 3.0 and later.
func suffixedInteger(s string) int64 {
	var n int64
	sign := int64(1)
	digits, multiplied := false, false
	for i := range len(s) {
		c := s[i]
		if multiplier, ok := multipliers[c]; ok {
			if !digits || multiplied {
				return 0
			}
			n *= multiplier
			multiplied = true
			continue
		}
		switch {
		case '0' <= c && c <= '9':
			if multiplied {
				return 0
			}
			digits = true
			n = n*10 + int64(c-'0')
		case c == '-':
			if digits {
				return 0
			}
			sign = -sign
		case c == ' ' || c == '\t':
			if digits {
				return 0
			}
		default:
			return 0
		}
	}
	return sign * n
}

// multipliers are the suffixes of 3.0 and later.
var multipliers = map[byte]int64{
	'k': 1 << 10, 'K': 1 << 10,
	'm': 1 << 20, 'M': 1 << 20,
	'g': 1 << 30, 'G': 1 << 30,
}

// atoi is the C library's: optional white space and sign, then digits. glibc
// computes a saturated 64-bit long and cuts it to int; Windows saturates the int.
func atoi(s string, saturate32 bool) int64 {
	s = strings.TrimLeft(s, " \t\n\v\f\r")
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	// The magnitude stops growing at 2^63, which is past every limit below.
	const limit = uint64(1) << 63
	var n uint64
	for i := 0; i < len(s) && '0' <= s[i] && s[i] <= '9'; i++ {
		if n > (limit-uint64(s[i]-'0'))/10 {
			n = limit
			break
		}
		n = n*10 + uint64(s[i]-'0')
	}
	var long int64
	switch {
	case negative && n >= limit:
		long = math.MinInt64
	case negative:
		long = -int64(n)
	case n >= limit:
		long = math.MaxInt64
	default:
		long = int64(n)
	}
	if saturate32 {
		return max(math.MinInt32, min(math.MaxInt32, long))
	}
	return int64(int32(long))
}

// cString cuts s at its first NUL, where the engine's C strings end.
func cString(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}
