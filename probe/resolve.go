package probe

import (
	"errors"
	"io/fs"
	"path/filepath"
)

// resolve returns path absolute, with the symbolic links of its existing part
// followed: the directory of a database to come need not exist yet.
func resolve(path string) (string, error) {
	whole, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	for existing, rest := whole, ""; ; {
		resolved, err := filepath.EvalSymlinks(existing)
		if err == nil {
			return filepath.Join(resolved, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || existing == filepath.Dir(existing) {
			return "", err
		}
		existing, rest = filepath.Dir(existing), filepath.Join(filepath.Base(existing), rest)
	}
}
