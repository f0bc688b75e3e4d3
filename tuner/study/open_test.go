package study

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestOpenRefuses(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, path string)
		want    []string
	}{
		{"garbage", func(t *testing.T, path string) {
			write(t, path, bytes.Repeat([]byte("not a database "), 1000))
		}, []string{"not an SQLite database", "name another file"}},
		{"damaged page", func(t *testing.T, path string) {
			data := soundFile(t, path)
			copy(data[len(data)/2:], bytes.Repeat([]byte{0xff}, 8192))
			write(t, path, data)
		}, []string{"damaged", ".recover"}},
		{"cut short", func(t *testing.T, path string) {
			data := soundFile(t, path)
			write(t, path, data[:len(data)/2])
		}, []string{".recover"}},
		{"another program's", func(t *testing.T, path string) {
			alter(t, path, "PRAGMA application_id = 7")
		}, []string{"another program's", "name a different file"}},
		{"from the future", func(t *testing.T, path string) {
			alter(t, path, "PRAGMA user_version = 99")
		}, []string{"newer fbtune", "update fbtune"}},
		{"missing folder", func(t *testing.T, path string) {
			if err := os.Remove(filepath.Dir(path)); err != nil {
				t.Fatal(err)
			}
		}, []string{"check that the folder exists"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "sub", "s.db")
			if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
				t.Fatal(err)
			}
			tt.prepare(t, path)
			store, err := Open(t.Context(), path)
			if err == nil {
				t.Fatalf("opened: %v", store.Close())
			}
			for _, want := range append(tt.want, path) {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q does not say %q", err, want)
				}
			}
		})
	}
}

func TestOpenNeedsAName(t *testing.T) {
	if _, err := Open(t.Context(), ""); err == nil {
		t.Error("opened a store without a name")
	}
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

// soundFile makes a store with a study and returns the bytes of its file.
func soundFile(t *testing.T, path string) []byte {
	t.Helper()
	store, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	s := newStudy(t, store, "s")
	run(t, s, cells[0], Record{Status: OK, Score: 1, Attrs: map[string]any{"log": strings.Repeat("x", 50_000)}})
	if err := store.Close(); err != nil { // which also folds the WAL into the file
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// alter makes a store and changes it by a statement.
func alter(t *testing.T, path, statement string) {
	t.Helper()
	store, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.db.Exec(statement).Error; err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
}
