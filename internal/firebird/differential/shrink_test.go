package differential

import (
	"strings"
	"testing"
)

// shrink returns a smallest text of which still is true: no line and no byte
// can be taken away. It asks at most a given number of times.
func shrink(text string, asks int, still func(string) bool) string {
	for _, cut := range []func(string) []string{
		func(s string) []string { return strings.SplitAfter(s, "\n") },
		func(s string) []string { return strings.Split(s, "") },
	} {
		text = shrinkPieces(cut(text), &asks, still)
	}
	return text
}

// shrinkPieces takes runs of pieces away, long ones first, until none can go.
func shrinkPieces(pieces []string, asks *int, still func(string) bool) string {
	for length := max(1, len(pieces)/2); ; {
		shorter := false
		for at := 0; at+length <= len(pieces) && *asks > 0; {
			without := append(pieces[:at:at], pieces[at+length:]...)
			*asks--
			if still(strings.Join(without, "")) {
				pieces, shorter = without, true
			} else {
				at += length
			}
		}
		switch {
		case length > 1:
			length /= 2
		case !shorter || *asks == 0:
			return strings.Join(pieces, "")
		}
	}
}

func TestShrink(t *testing.T) {
	for _, test := range []struct {
		text, want string
		still      func(string) bool
	}{
		{"a\nb = 1\nc\n", "b=", func(s string) bool { return strings.Contains(s, "b") && strings.Contains(s, "=") }},
		{"m = x\n{\nA = 1\n}\n", "{}", func(s string) bool { return strings.Count(s, "{") == 1 && strings.Count(s, "}") == 1 }},
		{"\xff\xfe\x00", "\x00", func(s string) bool { return strings.Contains(s, "\x00") }},
		{"abc", "abc", func(s string) bool { return s == "abc" }},
		{"abc", "", func(string) bool { return true }},
	} {
		if got := shrink(test.text, 1000, test.still); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.text, got, test.want)
		}
	}
	asked := 0
	shrink(strings.Repeat("line\n", 50), 20, func(string) bool { asked++; return false })
	if asked != 20 {
		t.Errorf("asked %d times, 20 allowed", asked)
	}
}
