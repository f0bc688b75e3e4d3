package apply

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/fbtune/fbtune/confgen"
	"github.com/fbtune/fbtune/internal/apply/compare"
	"github.com/fbtune/fbtune/internal/fbconf"
	"github.com/fbtune/fbtune/internal/firebird"
)

// Target is the server whose files are replaced.
type Target struct {
	Root          string          `json:"root"`
	FirebirdConf  string          `json:"firebird_conf"`  // as the server opens it
	DatabasesConf string          `json:"databases_conf"` // the same
	Firebird      confgen.Version `json:"firebird"`       // by whose rules the files are read

	// Installation runs the server, or one of its version; its Build is empty
	// when there is none, and NoServer says why.
	Installation firebird.Installation `json:"-"`
	NoServer     error                 `json:"-"`
	Notes        []string              `json:"-"` // what was assumed
}

// Locate finds the files of the server at root: the root of an installation, or
// a directory that holds them. Of such a directory the installation is the one
// whose files these are, else the one at serverRoot, else the newest found. An
// empty root is that of the newest installation.
func Locate(ctx context.Context, root, serverRoot string) (Target, error) {
	if root == "" {
		inst, err := firebird.Choose(ctx, serverRoot)
		return installed(inst), err
	}
	inst, err := firebird.At(ctx, root)
	if err == nil {
		return installed(inst), nil
	}
	dir, dirErr := filepath.Abs(root)
	if dirErr != nil {
		return Target{}, dirErr
	}
	t := Target{Root: dir, FirebirdConf: filepath.Join(dir, "firebird.conf"), DatabasesConf: filepath.Join(dir, "databases.conf")}
	if !exists(t.FirebirdConf) && !exists(t.DatabasesConf) {
		return Target{}, fmt.Errorf("%w, and no firebird.conf or databases.conf lies there", err)
	}
	return t, t.findServer(ctx, serverRoot)
}

func installed(inst firebird.Installation) Target {
	return Target{
		Root: inst.Root, FirebirdConf: inst.FirebirdConf, DatabasesConf: inst.DatabasesConf,
		Firebird: inst.Version, Installation: inst,
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// findServer finds the installation of a directory of files.
func (t *Target) findServer(ctx context.Context, serverRoot string) error {
	found, _ := firebird.Find(ctx) // broken ones have no say
	for _, inst := range found {
		if sameFile(inst.FirebirdConf, t.FirebirdConf) || sameFile(inst.DatabasesConf, t.DatabasesConf) {
			t.Installation, t.Firebird = inst, inst.Version
			return nil
		}
	}
	inst, err := firebird.Choose(ctx, serverRoot)
	switch {
	case err == nil:
		t.Installation, t.Firebird = inst, inst.Version
		if serverRoot == "" {
			t.Notes = append(t.Notes, fmt.Sprintf("%s belongs to no installation found here, and is taken to be for the newest one, %s in %s; name another by --firebird-root", t.Root, inst.FullVersion(), inst.Root))
		}
		return nil
	case serverRoot == "" && errors.Is(err, firebird.ErrNone):
		t.NoServer = err
		return t.guessVersion()
	}
	return err
}

// guessVersion makes the version one that the files look like.
func (t *Target) guessVersion() error {
	content, err := compare.Content(t.FirebirdConf)
	if err != nil {
		return err
	}
	var why string
	t.Firebird, why, _ = confgen.GuessVersion(content)
	t.Notes = append(t.Notes, fmt.Sprintf("the files are read by the rules of Firebird %s (%s)", t.Firebird, why))
	return nil
}

func sameFile(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Rules return the rules by which the server reads its files.
func (t Target) Rules() (compare.Rules, error) {
	rules, err := compare.NewRules(t.Firebird)
	if err != nil || t.Installation.Build == "" {
		return rules, err
	}
	rules.Dirs = t.Installation.Dirs("")
	rules.Dialect, err = fbconf.ParseDialect(t.Installation.FullVersion())
	return rules, err
}

// Texts reads the files as they are.
func (t Target) Texts() (compare.Texts, error) {
	texts := compare.Texts{ConfPath: t.FirebirdConf, DatabasesPath: t.DatabasesConf}
	var err error
	if texts.Conf, err = compare.Content(t.FirebirdConf); err != nil {
		return texts, err
	}
	texts.Databases, err = compare.Content(t.DatabasesConf)
	return texts, err
}

// Kept reads the files of a backup; the paths are those of the target.
func (t Target) Kept(b Backup) (compare.Texts, error) {
	texts := compare.Texts{ConfPath: t.FirebirdConf, DatabasesPath: t.DatabasesConf}
	for _, f := range []struct {
		path string
		into *[]byte
	}{{t.FirebirdConf, &texts.Conf}, {t.DatabasesConf, &texts.Databases}} {
		if backup := b.Of(f.path); backup != "" {
			var err error
			if *f.into, err = compare.Content(backup); err != nil {
				return texts, err
			}
		}
	}
	return texts, nil
}

// Files returns the files to replace so that the contents go from one pair to
// another.
func (t Target) Files(from, to compare.Texts) []File {
	var files []File
	for _, f := range []struct {
		path     string
		old, new []byte
	}{{t.FirebirdConf, from.Conf, to.Conf}, {t.DatabasesConf, from.Databases, to.Databases}} {
		if f.new != nil {
			files = append(files, File{Path: f.path, Content: f.new, Seen: f.old})
		}
	}
	return files
}
