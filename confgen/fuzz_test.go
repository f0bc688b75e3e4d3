package confgen

import "testing"

// FuzzInput reads what a person may give on the command line: it is refused, or
// it is within bounds.
func FuzzInput(f *testing.F) {
	for _, seed := range []string{
		"", "50%", "0.5", "1e-400%", "NaN", "3.0", "LI-V3.0.11.33637 Firebird 3.0", "-V1.2.3.4.5", "1.99999999999999999999",
		"erp=/data/erp.fdb,size=20G,page-size=8192", "erp=/data/erp.fdb,size=9e99", "=,size=", "erp=/a,page-size=-1", "12XB", "-1", "9e99",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if share, err := ParseShare(text); err == nil && !(share >= 0 && share <= 1) {
			t.Errorf("ParseShare(%q) = %g", text, share)
		}
		if v, err := ParseVersion(text); err == nil {
			if again, err := ParseVersion(v.String()); err != nil || again != v {
				t.Errorf("ParseVersion(%q) = %v, which reads as %v, %v", text, v, again, err)
			}
		}
		if d, err := ParseDatabase(text); err == nil && (d.Name == "" || d.Path == "" || d.Size < 0 || d.PageSize < 0) {
			t.Errorf("ParseDatabase(%q) = %+v", text, d)
		}
		if size, err := ParseSizeFlag(text); err == nil && size < 0 {
			t.Errorf("ParseSizeFlag(%q) = %d", text, size)
		}
	})
}
