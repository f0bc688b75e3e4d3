package confgen

import (
	"fmt"
	"slices"
	"strings"
)

// ParseSettings reads settings that a person wrote as Key=Value, and returns
// them by Firebird's spelling of their names. What the engine would take in
// silence is an error here: a name it does not know, a value it reads as
// nothing, a name given twice.
func ParseSettings(list []string, v Version) (map[string]string, error) {
	settings := make(map[string]string, len(list))
	for _, text := range list {
		key, value, ok := strings.Cut(text, "=")
		key, value = strings.TrimSpace(key), strings.TrimSpace(value)
		if !ok || key == "" || value == "" {
			return nil, fmt.Errorf("setting %q: write Key=Value", text)
		}
		row, ok := Lookup(key)
		if !ok {
			return nil, fmt.Errorf("setting %q: fbtune knows no setting %s", text, key)
		}
		if _, ok := settings[row.Name]; ok {
			return nil, fmt.Errorf("setting %q: %s is given twice", text, row.Name)
		}
		if err := row.CheckValue(v, value); err != nil {
			return nil, err
		}
		settings[row.Name] = value
	}
	return settings, nil
}

// CheckValue returns why a person cannot have meant text for the setting, or
// nil: what the engine reads as 0 or false although it is not written so, or a
// word it does not know and replaces in silence.
func (s Setting) CheckValue(v Version, text string) error {
	era, ok := s.In(v)
	if !ok {
		return fmt.Errorf("setting %s: Firebird %s does not know it", s.Name, v)
	}
	switch s.Type {
	case Integer:
		if v.dialect().Int(text) == 0 && strings.Trim(text, "0") != "" {
			return fmt.Errorf("setting %s = %s: Firebird reads this as 0; write a number with at most one of K, M, G behind it", s.Name, text)
		}
	case Boolean:
		if !plainBoolean(v, text) {
			return fmt.Errorf("setting %s = %s: Firebird %s reads this as %t; write %s", s.Name, text, v, v.dialect().Bool(text), strings.Join(BooleanWords(v), " or "))
		}
	case Word:
		if word := era.word(Super, text); !strings.EqualFold(word, text) {
			return fmt.Errorf("setting %s = %s: Firebird would silently take %s; write one of %s", s.Name, text, word, strings.Join(era.Words, ", "))
		}
	}
	return nil
}

// BooleanWords returns how a boolean is best written in a version, true first.
func BooleanWords(v Version) []string {
	if v.AtLeast(firstWithSuffixes) {
		return []string{"true", "false"}
	}
	return []string{"1", "0"}
}

// plainBoolean reports whether a text is a boolean to a person and to the
// engine of a version alike.
func plainBoolean(v Version, text string) bool {
	plain := []string{"0", "1"}
	if v.AtLeast(firstWithSuffixes) {
		plain = append(plain, "true", "false", "yes", "no", "y", "n")
	}
	return slices.ContainsFunc(plain, func(word string) bool { return strings.EqualFold(word, text) })
}
