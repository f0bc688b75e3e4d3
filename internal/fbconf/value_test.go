package fbconf

import (
	"math"
	"testing"
)

func TestInt(t *testing.T) {
	modern := mustDialect(t, "3.0")
	legacy := mustDialect(t, "2.5")
	windows := Dialect{Major: 2, Minor: 5, Windows: true}
	tests := []struct {
		value                   string
		modern, legacy, windows int64
	}{
		{"", 0, 0, 0},
		{"4096", 4096, 4096, 4096},
		{"4k", 4096, 4, 4},
		{"30M", 30 << 20, 30, 30},
		{"2G", 2 << 30, 2, 2},
		{"64MB", 0, 64, 64},
		{"1kk", 0, 1, 1},
		{"4 K", 0, 4, 4},
		{"1.5K", 0, 1, 1},
		{"1e4", 0, 1, 1},
		{"0x1000", 0, 0, 0},
		{"+5", 0, 5, 5},
		{"-5", -5, -5, -5},
		{"--5", 5, 0, 0},
		{"- 5", -5, 0, 0},
		{"5-", 0, 5, 5},
		{"k", 0, 0, 0},
		{" 7\t", 7, 7, 7},
		{"\v7", 0, 7, 7},
		{"7 \x00", 0, 7, 7},
		{"7\x008", 7, 7, 7},
		{"9223372036854775808", math.MinInt64, -1, math.MaxInt32},
		{"-9223372036854775809", math.MaxInt64, 0, math.MinInt32},
		{"18446744073709551617", 1, -1, math.MaxInt32},
		{"17179869185G", 1 << 30, 1, math.MaxInt32},
		{"10737418240", 10737418240, -2147483648, math.MaxInt32},
	}
	for _, tt := range tests {
		for _, c := range []struct {
			d    Dialect
			want int64
		}{{modern, tt.modern}, {legacy, tt.legacy}, {windows, tt.windows}} {
			if got := c.d.Int(tt.value); got != c.want {
				t.Errorf("%v windows=%t: Int(%q) = %d, want %d", c.d, c.d.Windows, tt.value, got, c.want)
			}
		}
	}
}

func TestBool(t *testing.T) {
	modern, legacy := mustDialect(t, "5.0"), mustDialect(t, "2.5")
	tests := []struct {
		value          string
		modern, legacy bool
	}{
		{"1", true, true},
		{"0", false, false},
		{"-1", true, true},
		{"123abc", true, true},
		{"true", true, false},
		{"TRUE", true, false},
		{"Yes", true, false},
		{"y", true, false},
		{"t", false, false},
		{"on", false, false},
		{"enabled", false, false},
		{"true ", false, false},
		{"true\x00x", true, false},
		{"yes!", false, false},
		{"4294967296", false, false}, // atoi cuts it to 32 bits: 0
		{"", false, false},
	}
	for _, tt := range tests {
		if got := modern.Bool(tt.value); got != tt.modern {
			t.Errorf("5.0: Bool(%q) = %t, want %t", tt.value, got, tt.modern)
		}
		if got := legacy.Bool(tt.value); got != tt.legacy {
			t.Errorf("2.5: Bool(%q) = %t, want %t", tt.value, got, tt.legacy)
		}
	}
}

func TestParseDialect(t *testing.T) {
	tests := []struct {
		version string
		want    Dialect
	}{
		{"2.5", Dialect{Major: 2, Minor: 5, Patch: NewestPatch}},
		{"3.0", Dialect{Major: 3, Patch: NewestPatch}},
		{"4.0.3", Dialect{Major: 4, Patch: 3}},
		{"3.0.11.33637", Dialect{Major: 3, Patch: 11, Build: 33637}},
	}
	for _, tt := range tests {
		got, err := ParseDialect(tt.version)
		if err != nil || got != tt.want {
			t.Errorf("ParseDialect(%q) = %+v, %v; want %+v", tt.version, got, err, tt.want)
		}
		if got.String() != tt.version {
			t.Errorf("String of %q is %q", tt.version, got)
		}
	}
	for _, bad := range []string{"", "2.1", "7.0", "3.1", "x", "3.-1", "3.0.x"} {
		if d, err := ParseDialect(bad); err == nil {
			t.Errorf("ParseDialect(%q) = %v, want an error", bad, d)
		}
	}
	if got := (Dialect{}).String(); got != "5.0" {
		t.Errorf("zero dialect is %s", got)
	}
}

func TestChangesByPatchAndBuild(t *testing.T) {
	tests := []struct {
		version string
		change  change
		want    bool
	}{
		{"2.5", bareKeyIgnored, false},
		{"3.0.10", bareKeyIgnored, false},
		{"3.0.11", bareKeyIgnored, true},
		{"3.0.11.33637", bareKeyIgnored, false}, // Debian 12, measured
		{"3.0.11.33637", remoteAliasAllowed, false},
		{"4.0.2", bareKeyIgnored, false},
		{"4.0.3", bareKeyIgnored, true},
		{"5.0.0", bareKeyIgnored, true},
		{"5.0.2", orphanBlockReported, false},
		{"5.0.3", orphanBlockReported, true},
		{"3.0", includeReworked, false},
		{"4.0.0", includeReworked, true},
		{"5.0.4", emptyAliasIgnored, false},
		{"6.0", emptyAliasIgnored, true},
	}
	for _, tt := range tests {
		if got := mustDialect(t, tt.version).has(tt.change); got != tt.want {
			t.Errorf("%s has change %d: %t, want %t", tt.version, tt.change, got, tt.want)
		}
	}
}
