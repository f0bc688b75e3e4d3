package confgen

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseShare reads a part of a whole that a person wrote: "50%" or "0.5". The
// empty text is 0, which stands for all.
func ParseShare(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	number, percent := strings.CutSuffix(strings.TrimSpace(text), "%")
	share, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
	if percent {
		share /= 100
	}
	if err != nil || !(share > 0 && share <= 1) {
		return 0, fmt.Errorf("share %q: write a part above 0 up to all, such as 50%% or 0.5", text)
	}
	return share, nil
}
