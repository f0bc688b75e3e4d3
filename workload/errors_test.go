package workload

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"testing"

	firebirdsql "github.com/nakagami/firebirdsql"
)

func TestClassify(t *testing.T) {
	fb := func(codes ...int) error { return fmt.Errorf("call: %w", &firebirdsql.FbError{GDSCodes: codes}) }
	exception := func(name string) error {
		return &firebirdsql.FbError{GDSCodes: []int{gdsException, 335544842}, Params: [][]string{{"4", name}, nil}}
	}
	for _, c := range []struct {
		name  string
		err   error
		class errorClass
		code  int
	}{
		{"update conflict", fb(335544336, 335544451, 335544878, 335544842), classConflict, 335544336},
		{"lock conflict", fb(335544345), classConflict, 335544345},
		{"erased record", fb(336527548), classConflict, 336527548},
		{"erased record as text", &firebirdsql.FbError{GDSCodes: []int{gdsRandom, 335544842}, Params: [][]string{
			{"cannot update erased record"}, {"At procedure 'OP_DELIVERY' line: 18, col: 7"}}}, classConflict, gdsRandom},
		{"another text", &firebirdsql.FbError{GDSCodes: []int{gdsRandom}, Params: [][]string{{"something else"}}}, classCounted, gdsRandom},
		{"our conflict", exception("FBTUNE_CONFLICT"), classConflict, gdsException},
		{"no row", exception("FBTUNE_NO_ROW"), classUnseen, gdsException},
		{"unique key", fb(335544665, 335545072), classCounted, 335544665},
		{"arithmetic", fb(335544321, 335544779), classCounted, 335544321},
		{"connection lost", fb(335544721, 335544726), classSevere, 335544721},
		{"disk", fb(335544344, 335544734), classSevere, 335544344},
		{"attachment shut down", fb(335544856), classSevere, 335544856},
		{"conflict on a lost connection", fb(335544336, 335544741), classSevere, 335544741},
		{"no code", errors.New("EOF"), classSevere, 0},
		{"empty vector", fb(), classSevere, 0},
		{"bad connection", driver.ErrBadConn, classSevere, 0},
		{"cancelled", fmt.Errorf("%w: %w", context.Canceled, fb(335544336)), classSevere, 0},
	} {
		if class, code := classify(c.err); class != c.class || code != c.code {
			t.Errorf("%s: class %d, code %d, want %d, %d", c.name, class, code, c.class, c.code)
		}
	}
}
