//go:build linux || darwin

package apply

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// ofContent are attributes that sign or describe a file's content, so that
// another content must not take them over.
var ofContent = []string{"security.ima", "security.evm"}

// takeOver gives an open file the owner, the mode and the extended attributes
// of another.
func takeOver(f *os.File, model string) error {
	info, err := os.Stat(model)
	if err != nil {
		return err
	}
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		if err := f.Chown(int(stat.Uid), int(stat.Gid)); err != nil {
			return fmt.Errorf("keep the owner of %s: %w; run fbtune as root, or as that owner", model, err)
		}
	}
	if err := f.Chmod(info.Mode()); err != nil {
		return fmt.Errorf("keep the mode of %s: %w", model, err)
	}
	names, err := attributeNames(model)
	if err != nil {
		return fmt.Errorf("read the attributes of %s: %w", model, err)
	}
	for _, name := range names {
		if slices.Contains(ofContent, name) {
			continue
		}
		if err := takeOverAttribute(f, model, name); err != nil {
			return fmt.Errorf("keep attribute %s of %s: %w; run fbtune as root", name, model, err)
		}
	}
	return nil
}

// takeOverAttribute copies one extended attribute, unless the new file got an
// equal one from its directory, as SELinux labels mostly do.
func takeOverAttribute(f *os.File, model, name string) error {
	want, err := attribute(func(into []byte) (int, error) { return unix.Getxattr(model, name, into) })
	if err != nil {
		return err
	}
	has, err := attribute(func(into []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, into) })
	if err == nil && bytes.Equal(has, want) {
		return nil
	}
	return unix.Fsetxattr(int(f.Fd()), name, want, 0)
}

// attributeNames lists the extended attributes of a file; none on a file system
// without.
func attributeNames(path string) ([]string, error) {
	list, err := attribute(func(into []byte) (int, error) { return unix.Listxattr(path, into) })
	if errors.Is(err, errors.ErrUnsupported) {
		return nil, nil
	}
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), err
}

// attribute reads what a call of the kernel's returns, whatever its size.
func attribute(read func(into []byte) (int, error)) ([]byte, error) {
	for {
		size, err := read(nil)
		if err != nil || size == 0 {
			return nil, err
		}
		value := make([]byte, size)
		n, err := read(value)
		if errors.Is(err, unix.ERANGE) {
			continue // it grew between the two calls
		}
		return value[:max(n, 0)], err
	}
}
