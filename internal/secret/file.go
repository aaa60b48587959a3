package secret

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/promptuary/promptuary/internal/durable"
)

// maxKeyFile limits what is read from a wrong file.
const maxKeyFile = 1 << 10

// installationPrefix begins the line of a key file that names the installation
// to which the key belongs.
const installationPrefix = "# installation "

// LoadKey reads the key in a file. If the file does not exist, it creates it
// with a new key of the installation, readable only by the owner, and reports
// that it did. The caller ensures that no other process does so concurrently. A
// file that other users can access is rejected, because its key may be
// compromised.
func LoadKey(path, installation string) (key Key, made bool, err error) {
	key, _, err = readKey(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, false, err
	}
	key = NewKey()
	if err := writeKey(path, key, installation); err != nil {
		return Key{}, false, fmt.Errorf("make the secret key file %s: %w", path, err)
	}
	return key, true, nil
}

// KeyInstallation returns the installation that the key in a file belongs to. It
// is empty if the file does not exist or names none, as those of earlier
// versions.
func KeyInstallation(path string) (string, error) {
	_, installation, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	return installation, err
}

// SetKeyInstallation adds the installation to a key file that names none. It
// does nothing if the file does not exist.
func SetKeyInstallation(path, installation string) error {
	key, current, err := readKey(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || current != "" {
		return err
	}
	return writeKey(path, key, installation)
}

func readKey(path string) (key Key, installation string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return Key{}, "", fmt.Errorf("read the secret key: %w", err)
	}
	defer func() { _ = file.Close() }()
	if err := checkMode(file); err != nil {
		return Key{}, "", err
	}
	text, err := io.ReadAll(io.LimitReader(file, maxKeyFile))
	if err != nil {
		return Key{}, "", fmt.Errorf("read the secret key: %w", err)
	}
	key, err = ParseKey(string(text))
	if err != nil {
		return Key{}, "", fmt.Errorf("the secret key in %s %w: put the right file back from a backup", path, err)
	}
	for line := range strings.Lines(string(text)) {
		if id, found := strings.CutPrefix(line, installationPrefix); found {
			installation = strings.TrimSpace(id)
		}
	}
	return key, installation, nil
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

// writeKey writes the file before anything is sealed with the key.
func writeKey(path string, key Key, installation string) error {
	return durable.WriteFile(path, []byte(key.text()+"\n"+installationPrefix+installation+"\n"))
}
