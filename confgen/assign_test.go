package confgen

import (
	"strings"
	"testing"
)

func TestParseSettings(t *testing.T) {
	v := Version{3, 0, 11}
	got, err := ParseSettings([]string{"lockhashslots = 30011", "LockMemSize=7M", "GCPolicy=combined", "TempCacheLimit=0"}, v)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{LockHashSlots: "30011", LockMemSize: "7M", "GCPolicy": "combined", TempCacheLimit: "0"}
	if len(got) != len(want) {
		t.Errorf("settings %v, want %v", got, want)
	}
	for key, value := range want {
		if got[key] != value {
			t.Errorf("%s = %q, want %q", key, got[key], value)
		}
	}
	for text, hint := range map[string]string{
		"LockHashSlots":           "write Key=Value",
		"=5":                      "write Key=Value",
		"LockHashSlots=":          "write Key=Value",
		"LockHashSlot=5":          "no setting LockHashSlot",
		"TempCacheLimit=64MB":     "reads this as 0",
		"LockMemSize=30 M":        "reads this as 0",
		"ServerMode=SuperServer":  "silently take Super",
		"GCPolicy=backgroundonly": "silently take",
	} {
		if _, err := ParseSettings([]string{text}, v); err == nil || !strings.Contains(err.Error(), hint) {
			t.Errorf("%q: %v, want an error with %q", text, err, hint)
		}
	}
	if _, err := ParseSettings([]string{"LockHashSlots=5", "lockhashslots=6"}, v); err == nil {
		t.Error("a setting given twice is taken")
	}
}
