package confgen

import (
	"strings"
	"testing"
)

func TestParseVersion(t *testing.T) {
	for _, test := range []struct {
		text, want string // want is empty for an error
	}{
		{"3.0", "3.0"}, {"3.0.11", "3.0.11"}, {"3.0.11.33637", "3.0.11"}, {" 2.5 ", "2.5"},
		{"LI-V3.0.11.33637 Firebird 3.0", "3.0.11"}, {"WI-V4.0.5.3140", "4.0.5"}, {"LI-T6.0.0.800 Firebird 6.0", "6.0.0"},
		{"3", ""}, {"", ""}, {"3.x", ""}, {"3.0.-1", ""}, {"3.0.1.x", ""}, {"1.2.3.4.5", ""},
	} {
		got, err := ParseVersion(test.text)
		switch {
		case test.want == "" && err == nil:
			t.Errorf("ParseVersion(%q) = %s, want an error", test.text, got)
		case test.want != "" && (err != nil || got.String() != test.want):
			t.Errorf("ParseVersion(%q) = %s, %v, want %s", test.text, got, err, test.want)
		}
	}
}

func TestVersionOrder(t *testing.T) {
	ordered := []string{"2.5", "3.0.0", "3.0.11", "3.0.12", "3.0", "4.0.5", "5.0.1", "5.0"}
	for i, a := range ordered {
		for j, b := range ordered {
			va, errA := ParseVersion(a)
			vb, errB := ParseVersion(b)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if got := va.AtLeast(vb); got != (i >= j) {
				t.Errorf("%s at least %s = %t", a, b, got)
			}
		}
	}
}

func TestParseMode(t *testing.T) {
	for _, test := range []struct {
		text   string
		want   Mode // what a person is told; empty for an error
		engine Mode
	}{
		{"super", Super, Super}, {"ThreadedDedicated", Super, Super},
		{"SuperClassic", SuperClassic, SuperClassic}, {"threadedshared", SuperClassic, SuperClassic},
		{"CLASSIC", Classic, Classic}, {"MultiProcess", Classic, Classic},
		// Measured on 4.0.5: each of these silently is Super.
		{"SuperServer", "", Super}, {"Super Classic", "", Super}, {"Classic;", "", Super}, {"", "", Super}, {"1", "", Super},
	} {
		got, err := ParseMode(test.text)
		if got != test.want || (err == nil) != (test.want != "") {
			t.Errorf("ParseMode(%q) = %q, %v, want %q", test.text, got, err, test.want)
		}
		if err != nil && !strings.Contains(err.Error(), "write Super, SuperClassic or Classic") {
			t.Errorf("ParseMode(%q): error without a hint: %v", test.text, err)
		}
		if got := EngineMode(test.text); got != test.engine {
			t.Errorf("EngineMode(%q) = %q, want %q", test.text, got, test.engine)
		}
	}
}
