package confgen

import (
	"strings"
	"testing"
)

// TestComparePublished holds the fitted rule to outputs of the calculator.
func TestComparePublished(t *testing.T) {
	for _, output := range []struct {
		ram         Bytes
		users       int
		pages, temp string
		statements  string
	}{
		{20 * GiB, 40, "327680", "2731M", "26M"},
		{20 * GiB, 200, "327680", "2731M", "5M"},
		{16 * GiB, 30, "262144", "2185M", "27M"},
		{12 * GiB, 30, "196608", "1536M", "20M"},
	} {
		a, err := Recommend(Input{
			Version: Version{5, 0, AnyPatch}, Memory: output.ram, Connections: output.users, CPUs: 2,
			Databases: []Database{{Name: "main", Path: "/db/main.fdb", Size: 100 * GiB, PageSize: 16384}},
		})
		if err != nil {
			t.Fatal(err)
		}
		values, err := a.ComparePublished()
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]string{}
		for _, v := range values {
			got[v.Name] = v.Theirs
			if v.Ours == "" || v.Rule == "" {
				t.Errorf("%+v has gaps", v)
			}
		}
		if got["main: DefaultDbCachePages"] != output.pages || got[TempCacheLimit] != output.temp || got[MaxStatementCacheSize] != output.statements {
			t.Errorf("%s, %d users: %v, want %+v", output.ram, output.users, got, output)
		}
	}
	a, err := Recommend(Input{Version: Version{3, 0, AnyPatch}, Memory: GiB})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.ComparePublished(); err == nil || !strings.Contains(err.Error(), "5.0 in Super only") {
		t.Errorf("%v", err)
	}
}
