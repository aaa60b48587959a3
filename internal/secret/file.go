package secret

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxKeyFile limits what is read from a wrong file.
const maxKeyFile = 1 << 10

// LoadKey reads the key in a file. If the file does not exist, it creates it
// with a new key, readable only by the owner, and reports that it did. The
// caller ensures that no other process does so concurrently. A file that
// other users can access is rejected, because its key may be compromised.
func LoadKey(path string) (key Key, made bool, err error) {
	key, err = readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, false, err
	}
	key = NewKey()
	if err := writeKey(path, key); err != nil {
		return Key{}, false, fmt.Errorf("make the secret key file %s: %w", path, err)
	}
	return key, true, nil
}

func readKey(path string) (Key, error) {
	file, err := os.Open(path)
	if err != nil {
		return Key{}, fmt.Errorf("read the secret key: %w", err)
	}
	defer func() { _ = file.Close() }()
	if err := checkMode(file); err != nil {
		return Key{}, err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	if err != nil {
		return Key{}, fmt.Errorf("read the secret key: %w", err)
	}
	key, err := ParseKey(string(text))
	if err != nil {
		return Key{}, fmt.Errorf("the secret key in %s %w: put the right file back from a backup", path, err)
	}
	return key, nil
}

// checkMode rejects files that other users can access, and anything but
// regular files.
func checkMode(file *os.File) error {
	info, err := file.Stat()
	if err != nil {
		return fmt.Errorf("read the secret key: %w", err)
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("the secret key %s is not a file", file.Name())
	}
	if others := info.Mode().Perm() & 0o077; others != 0 {
		return fmt.Errorf("the secret key file %s is open to other users (mode %04o): run chmod 600 %s",
			file.Name(), info.Mode().Perm(), file.Name())
	}
	return nil
}

// writeKey writes the file atomically and durably, before anything is sealed
// with the key.
func writeKey(path string, key Key) (err error) {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // with mode 0600
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name()) // the first error is returned
		}
	}()
	_, err = file.WriteString(key.text() + "\n")
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return err
	}
	if err = os.Rename(file.Name(), path); err != nil {
		return err
	}
	return syncFolder(filepath.Dir(path))
}

// syncFolder makes the entries of a folder durable.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}
