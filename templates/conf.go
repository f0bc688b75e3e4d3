package templates

import (
	"embed"
	"fmt"
)

// The directory is conf/VERSION/ARCHITECTURE/firebird.conf, with the file of
// aliases, which all architectures share, in conf/VERSION.
//
//go:embed conf
var conf embed.FS

// Conf returns the tuned starting file firebird.conf of a version, such as
// "3.0", and an architecture, as ServerMode spells it. Package confgen writes
// advice into it; the values in it are for the machine its head names.
func Conf(version, architecture string) ([]byte, error) {
	return read(fmt.Sprintf("conf/%s/%s/firebird.conf", version, architecture))
}

// Aliases returns the starting file of aliases of a version: databases.conf,
// or aliases.conf for 2.5.
func Aliases(version, name string) ([]byte, error) {
	return read(fmt.Sprintf("conf/%s/%s", version, name))
}

func read(path string) ([]byte, error) {
	content, err := conf.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("there is no template %s: %w", path, err)
	}
	return content, nil
}
