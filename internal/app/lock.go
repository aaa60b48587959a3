package app

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// lockFolder locks the data folder for this process. The lock is released when
// the process ends, even if it crashes.
func lockFolder(dir string) (*os.File, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "promptuary.lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder %s is not writable: %w", dir, err)
	}
	err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		holder, _ := os.ReadFile(path)
		_ = file.Close()
		return nil, fmt.Errorf("data folder %s is in use by another promptuary process (pid %s): stop it, or choose another folder with --data",
			dir, strings.TrimSpace(string(holder)))
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("lock data folder %s: %w", dir, err), file.Close())
	}
	if err = file.Truncate(0); err == nil {
		_, err = file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0)
	}
	if err != nil && !errors.Is(err, unix.ENOSPC) { // the lock holds without the number
		return nil, errors.Join(fmt.Errorf("data folder %s is not writable: %w", dir, err), file.Close())
	}
	return file, nil
}
