package running

import (
	"testing"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/firebird"
	"github.com/fbtune/fbtune/internal/firebird/configtable"
)

// What RDB$CONFIG shows is compared as the engine takes it, not as text.
func TestLookUp(t *testing.T) {
	s := &Server{Installation: firebird.Installation{Version: confgen.Version{Major: 4, Minor: 0, Patch: 5}}}
	written := func(value string) configtable.Row {
		return configtable.Row{Value: value, Set: true, Source: "firebird.conf"}
	}
	for _, test := range []struct {
		name, text string
		row        configtable.Row
		value      string
		state      State
	}{
		{confgen.TempCacheLimit, "64M", written("67108864"), "67108864", Verified},
		{confgen.TempCacheLimit, "64M", written("67108865"), "67108865", Contradicted},
		{confgen.TempCacheLimit, "64M", configtable.Row{Value: "67108864"}, "67108864", Contradicted}, // the line was not read
		{confgen.TempCacheLimit, "-1", written("67108864"), "67108864", Verified},
		{confgen.LockHashSlots, "7", written("7"), "101", Verified}, // the table shows it before the bounds
		{confgen.TcpRemoteBufferSize, "1", written("1448"), "1448", Verified},
		{confgen.UseFileSystemCache, "yes", written("true"), "true", Verified},
		{confgen.UseFileSystemCache, "on", written("true"), "true", Contradicted},
		{confgen.GCPolicy, "BACKGROUND", written("BACKGROUND"), "background", Verified},
		{confgen.GCPolicy, "combined", written("cooperative"), "cooperative", Contradicted},
	} {
		setting, ok := confgen.Lookup(test.name)
		if !ok {
			t.Fatalf("%s is not in the catalogue", test.name)
		}
		got, err := s.lookUp(setting, test.text, configtable.Table{test.name: test.row})
		if err != nil || got.Value != test.value || got.State != test.state {
			t.Errorf("%s = %s with %+v: %+v (%v), want %s %s", test.name, test.text, test.row, got, err, test.value, test.state)
		}
		if none, err := s.lookUp(setting, test.text, nil); err != nil || none.State != NotVerifiable || none.Value != test.text {
			t.Errorf("%s without a table: %+v (%v)", test.name, none, err)
		}
	}
}

// A contradiction by one of two readings is one.
func TestConfirmed(t *testing.T) {
	verified := Effective{Name: "X", Value: "1", State: Verified, Note: "a"}
	second := Effective{Name: "X", Value: "1", State: Verified, Note: "b"}
	wrong := Effective{Name: "X", Value: "2", State: Contradicted, Note: "c"}
	for _, test := range []struct{ first, second, want Effective }{
		{verified, second, Effective{Name: "X", Value: "1", State: Verified, Note: "a; b"}},
		{verified, wrong, wrong},
		{wrong, second, wrong},
		{verified, Effective{Name: "X", State: NotVerifiable}, verified},
	} {
		if got := test.first.confirmed(test.second); got != test.want {
			t.Errorf("%+v confirmed by %+v: %+v, want %+v", test.first, test.second, got, test.want)
		}
	}
}
