// Package storage has the data folder of an installation, its catalog and its secret
// key, and what commands do with them while no server runs, or beside one: back up,
// restore, verify, repair and copy.
package storage

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
)

// CatalogFile is the file of a SQLite catalog in the data folder.
const CatalogFile = "catalog.db"

// makeFolder creates the data folder, which only its owner may enter.
func makeFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("create data folder: %w", err)
	}
	return nil
}

// shared are the permissions of users other than the owner.
const shared fs.FileMode = 0o077

// Tighten removes the permissions of other users from the data folder and from
// the program's files in it. Earlier versions did not create them that way. The
// secret key is left alone: a key that others could read is refused later.
func Tighten(dir string, log *slog.Logger) {
	changed, err := tightenTree(dir)
	if changed > 0 {
		log.Info("removed the permissions of other users from the data folder", "folder", dir, "changed", changed)
	}
	if err != nil {
		log.Warn("other users may be able to read the data folder", "error", err)
	}
}

func tightenTree(dir string) (changed int, err error) {
	var errs []error
	err = filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			errs = append(errs, err)
			return nil
		}
		if path != dir && filepath.Dir(path) == dir && !ownFile(entry.Name()) {
			return skip(entry)
		}
		did, err := tightenFile(path, entry)
		if did {
			changed++
		}
		errs = append(errs, err)
		return nil
	})
	return changed, errors.Join(append(errs, err)...)
}

func tightenFile(path string, entry fs.DirEntry) (changed bool, err error) {
	info, err := entry.Info()
	if errors.Is(err, fs.ErrNotExist) || err == nil && (info.Mode()&fs.ModeSymlink != 0 || info.Mode()&shared == 0) {
		return false, nil
	}
	if err == nil {
		err = os.Chmod(path, info.Mode().Perm()&^shared)
	}
	return err == nil, err
}

// ownFile reports whether the program creates a file or folder of this name in
// the data folder, apart from the secret key.
func ownFile(name string) bool {
	return name == "logs" || name == "uploads" || strings.HasPrefix(name, "promptuary.") || strings.HasPrefix(name, "catalog.db")
}

func skip(entry fs.DirEntry) error {
	if entry.IsDir() {
		return fs.SkipDir
	}
	return nil
}
