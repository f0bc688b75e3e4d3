package confgen

import "strings"

// Suggest returns the setting of a version that a misspelt name is likely to
// mean, and false when none is near enough.
func Suggest(name string, v Version) (Setting, bool) {
	var best Setting
	least := len(name)/5 + 2 // wrong letters from which two names are different ones
	for _, s := range Known(v) {
		if d := distance(strings.ToLower(name), strings.ToLower(s.Name)); d < least {
			best, least = s, d
		}
	}
	return best, best.Name != ""
}

// distance is the number of letters to insert, delete, replace or swap with
// the next to make b of a.
func distance(a, b string) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			replaced := rows[i-1][j-1]
			if a[i-1] != b[j-1] {
				replaced++
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, replaced)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}
