// Package durable writes small files that survive a crash.
package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// WriteFile replaces the file at path, readable only by its owner. After a crash
// the file has its old content or all of the new one; once WriteFile has
// returned, it has the new one.
func WriteFile(path string, content []byte) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name()) // the first error is returned
		}
	}()
	_, err = file.Write(content)
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// SyncFolder makes the entries of a folder durable.
func SyncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
