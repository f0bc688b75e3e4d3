package confgen

import (
	"math"
	"strings"
	"testing"
)

// TestParseSize holds what a real Firebird made of integers: 4.0.5 through
// RDB$CONFIG, 3.0.11 through MON$PAGE_BUFFERS where 4.0.5 was not asked.
func TestParseSize(t *testing.T) {
	for _, test := range []struct {
		text string
		want int64
	}{
		{"4096", 4096}, {"4k", 4096}, {"2M", 2 << 20}, {"30M", 31457280}, {"3000M", 3145728000}, {"4G", 4 << 30}, {"64K", 65536},
		{"64MB", 0}, {"30MB", 0}, {"2GB", 0}, {"4 K", 0}, {"0x1000", 0}, {"'4096'", 0}, {"4096 pages", 0}, {"4,096", 0},
		{"1e4", 0}, {`4096\`, 0}, {"40#96", 0}, {"1.5G", 0}, {"50%", 0}, {"+5", 0}, {"1_000", 0}, {"900 = 5", 0}, {"kk", 0}, {"4kk", 0},
		{"", 0}, {"-", 0}, {"k", 0}, {"0", 0}, {"10", 10}, {"-1", -1}, {"-5", -5}, {"--5", 5}, {" - 5k ", -5120}, {"5-", 0},
		{"3000000", 3000000}, {"5000000000", 5000000000},
		{"18446744073709551617", 1}, // 2^64 + 1 wraps
	} {
		if got := ParseSize(test.text); got != test.want {
			t.Errorf("ParseSize(%q) = %d, want %d", test.text, got, test.want)
		}
	}
}

func TestParseSizeFlag(t *testing.T) {
	for _, test := range []struct {
		text string
		want Bytes
		hint string // part of the error
	}{
		{text: "24G", want: 24 * GiB},
		{text: "64m", want: 64 * MiB},
		{text: "1.5GiB", want: 1536 * MiB},
		{text: "512 MB", want: 512 * MiB},
		{text: " 1TiB ", want: TiB},
		{text: "1048576", want: MiB},
		{text: "4096B", want: 4096},
		{text: "24", hint: "write a unit, such as 24G or 24M"},
		{text: "0G", hint: "less than a byte"},
		{text: "2000T", hint: "more than 1 PiB"},
		{text: "-1G", hint: "write a number and a unit"},
		{text: "50%", hint: "write a number and a unit"},
		{text: "1,5G", hint: "write a number and a unit"},
		{text: "64Mbit", hint: "write a number and a unit"},
		{text: "", hint: "write a number and a unit"},
	} {
		got, err := ParseSizeFlag(test.text)
		if got != test.want || (err == nil) != (test.hint == "") || err != nil && !strings.Contains(err.Error(), test.hint) {
			t.Errorf("ParseSizeFlag(%q) = %d, %v, want %d, error with %q", test.text, got, err, test.want, test.hint)
		}
	}
}

// FuzzParseSize checks that what FormatSize writes is read back, whatever the
// text it came from.
func FuzzParseSize(f *testing.F) {
	for _, seed := range []string{"4096", "64M", "-5", "9223372036854775807", "1.5G", "--4 k"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n := ParseSize(text)
		if n < 0 {
			return
		}
		for _, v := range []Version{{2, 5, AnyPatch}, {3, 0, AnyPatch}} {
			if v.Major == 2 && n > math.MaxInt32 {
				continue
			}
			if written := FormatSize(Bytes(n), v); v.dialect().Int(written) != n {
				t.Errorf("FormatSize(%d, %s) = %q, read back as %d", n, v, written, v.dialect().Int(written))
			}
		}
	})
}

func TestFormatSize(t *testing.T) {
	for _, test := range []struct {
		size Bytes
		v    Version
		want string
	}{
		{64 * MiB, Version{3, 0, AnyPatch}, "64M"},
		{2 * GiB, Version{3, 0, AnyPatch}, "2048M"},
		{260 * KiB, Version{3, 0, AnyPatch}, "260K"},
		{1000, Version{3, 0, AnyPatch}, "1000"},
		{64 * MiB, Version{2, 5, AnyPatch}, "67108864"},
	} {
		if got := FormatSize(test.size, test.v); got != test.want {
			t.Errorf("FormatSize(%d, %s) = %q, want %q", test.size, test.v, got, test.want)
		}
	}
}
