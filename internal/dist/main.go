// Command dist makes the packages of fbtune: a .deb and .rpm, a tar.gz or zip
// for every platform, and their checksums. It is run by make dist, in the
// repository's top folder.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"
)

// platforms are what fbtune is built for.
var platforms = []platform{{"linux", "amd64"}, {"linux", "arm64"}, {"windows", "amd64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "-" + p.arch }

// program is the name of the command's file.
func (p platform) program() string {
	if p.os == "windows" {
		return "fbtune.exe"
	}
	return "fbtune"
}

// completions are the shells and the names their files have in packages.
var completions = map[string]string{"bash": "fbtune.bash", "zsh": "_fbtune", "fish": "fbtune.fish", "powershell": "fbtune.ps1"}

// documents of the repository that every archive holds.
var documents = []string{"README.md", "CHANGELOG.md", "LICENSE"}

func main() {
	version := flag.String("version", "", "`version` of the packages, such as 0.1.0")
	nfpm := flag.String("nfpm", "", "nfpm's package, with its `version`, for go run")
	dir := flag.String("o", "dist", "`directory` of the packages, which is emptied")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	d := dist{version: *version, nfpm: *nfpm, dir: *dir, build: filepath.Join(*dir, "build")}
	if err := d.make(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "dist:", err)
		os.Exit(1)
	}
}

// dist is one making of packages.
type dist struct {
	version, nfpm string
	dir           string
	build         string // directory of what goes into packages
	date          time.Time
}

// make makes everything.
func (d *dist) make(ctx context.Context) error {
	if d.version == "" || d.nfpm == "" {
		return fmt.Errorf("give -version and -nfpm, as make dist does")
	}
	if err := os.RemoveAll(d.dir); err != nil {
		return err
	}
	committed, err := d.output(ctx, nil, "git", "log", "-1", "--format=%cI")
	if err != nil {
		return err
	}
	if d.date, err = time.Parse(time.RFC3339, strings.TrimSpace(committed)); err != nil {
		return err
	}
	for _, p := range platforms {
		if err := d.compile(ctx, p); err != nil {
			return err
		}
	}
	if err := d.describe(ctx); err != nil {
		return err
	}
	for _, p := range platforms {
		if err := d.pack(p); err != nil {
			return err
		}
		if p.os == "linux" {
			if err := d.packages(ctx, p); err != nil {
				return err
			}
		}
	}
	if err := os.RemoveAll(d.build); err != nil {
		return err
	}
	return checksums(d.dir)
}

// output runs a command and returns what it printed.
func (d *dist) output(ctx context.Context, env []string, argv ...string) (string, error) {
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(os.Environ(), env...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("run %s: %w", strings.Join(argv, " "), err)
	}
	return string(out), nil
}

// compile builds the command for a platform.
func (d *dist) compile(ctx context.Context, p platform) error {
	_, err := d.output(ctx, []string{"CGO_ENABLED=0", "GOOS=" + p.os, "GOARCH=" + p.arch},
		"go", "build", "-trimpath", "-ldflags", "-s -w", "-o", filepath.Join(d.build, p.String(), p.program()), "./cmd/fbtune")
	return err
}

// describe has the command write its man pages and completions.
func (d *dist) describe(ctx context.Context) error {
	epoch := fmt.Sprintf("SOURCE_DATE_EPOCH=%d", d.date.Unix())
	man := filepath.Join(d.build, "man")
	if _, err := d.output(ctx, []string{epoch, "CGO_ENABLED=0"}, "go", "run", "./cmd/fbtune", "man", man); err != nil {
		return err
	}
	if err := compressAll(man); err != nil {
		return err
	}
	dir := filepath.Join(d.build, "completions")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for shell, name := range completions {
		script, err := d.output(ctx, []string{"CGO_ENABLED=0"}, "go", "run", "./cmd/fbtune", "completion", shell)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(script), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// packages makes the .deb and the .rpm of a platform.
func (d *dist) packages(ctx context.Context, p platform) error {
	for _, packager := range []string{"deb", "rpm"} {
		env := []string{"ARCH=" + p.arch, "VERSION=" + d.version, "BUILD=" + d.build, fmt.Sprintf("SOURCE_DATE_EPOCH=%d", d.date.Unix())}
		if _, err := d.output(ctx, env, "go", "run", d.nfpm, "package", "--config", "internal/dist/nfpm.yaml", "--packager", packager, "--target", d.dir); err != nil {
			return err
		}
	}
	return nil
}
