package probe

import (
	"encoding/json"
	"fmt"
)

// A Fact is one thing known about a machine and where it came from. The zero
// Fact is unknown; a Fact that could not be learned carries the reason instead
// of a value, so that a zero is never mistaken for a measurement.
type Fact[T any] struct {
	Value   T      // meaningless unless Known
	Source  string // the file, call or arithmetic the value comes from; empty when unknown
	Missing string // why the value is absent; empty when known
}

// Known reports whether the fact has a value.
func (f Fact[T]) Known() bool { return f.Source != "" }

// Or returns the value, or fallback when the fact is unknown.
func (f Fact[T]) Or(fallback T) T {
	if f.Known() {
		return f.Value
	}
	return fallback
}

// String returns the value as text, or "unknown (reason)".
func (f Fact[T]) String() string {
	switch {
	case f.Known():
		return fmt.Sprint(f.Value)
	case f.Missing != "":
		return "unknown (" + f.Missing + ")"
	}
	return "unknown"
}

// factJSON is the form of a Fact in JSON: {"value","source"} when known,
// {"missing"} when not.
type factJSON[T any] struct {
	Value   *T     `json:"value,omitempty"`
	Source  string `json:"source,omitempty"`
	Missing string `json:"missing,omitempty"`
}

// MarshalJSON writes {"value": V, "source": S} for a known fact and
// {"missing": reason} for an unknown one.
func (f Fact[T]) MarshalJSON() ([]byte, error) {
	if !f.Known() {
		return json.Marshal(factJSON[T]{Missing: f.Missing})
	}
	return json.Marshal(factJSON[T]{Value: &f.Value, Source: f.Source})
}

// UnmarshalJSON reads what MarshalJSON writes. A value without a source, as a
// person would write it by hand, is taken with the source "given".
func (f *Fact[T]) UnmarshalJSON(data []byte) error {
	var in factJSON[T]
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*f = Fact[T]{Missing: in.Missing}
	if in.Value != nil {
		source := in.Source
		if source == "" {
			source = "given"
		}
		*f = known(*in.Value, source)
	}
	return nil
}

// known returns a fact with a value.
func known[T any](value T, source string) Fact[T] {
	return Fact[T]{Value: value, Source: source}
}

// Given returns a fact stated by a person, source being the flag or file it
// was stated in.
func Given[T any](value T, source string) Fact[T] { return known(value, source) }

// missing returns a fact that could not be learned, with the reason.
func missing[T any](format string, args ...any) Fact[T] {
	return Fact[T]{Missing: fmt.Sprintf(format, args...)}
}
