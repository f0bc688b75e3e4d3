package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/fbtune/fbtune/internal/firebird"
)

// Version writes what fbtune was built of, and what was proven on what.
func Version(w io.Writer, built string, proofs []firebird.Proof) error {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nWhat works where, and how that is known\n", built)
	for _, p := range proofs {
		text := fmt.Sprintf("- Firebird %s; %s: %s. Known by: %s.", p.Firebird, p.System, p.Works, p.Proof)
		fmt.Fprint(&b, indented(strings.ReplaceAll(text, "`", "")))
	}
	_, err := io.WriteString(w, b.String())
	return err
}
