package storage

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Lock locks the data folder for this process. The lock is released when
// the process ends, even if it crashes.
func Lock(dir string) (*os.File, error) {
	if err := makeFolder(dir); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, "promptuary.lock")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("data folder %s is not writable: %w", dir, err)
	}
	holder, err := flock(file)
	if errors.Is(err, unix.EWOULDBLOCK) {
		_ = file.Close()
		return nil, fmt.Errorf("data folder %s is in use by another promptuary process (pid %s): stop it, or choose another folder with --data", dir, holder)
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

// released is how long a lock that this process has released may still be held: a
// child process that is being started has all open files until its program runs.
const released = 2 * time.Second

// flock locks the file, or returns the number of the process that has locked it.
func flock(file *os.File) (holder string, err error) {
	own := strconv.Itoa(os.Getpid())
	for deadline := time.Now().Add(released); ; time.Sleep(10 * time.Millisecond) {
		err = unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		if !errors.Is(err, unix.EWOULDBLOCK) {
			return "", err
		}
		content, readErr := os.ReadFile(file.Name())
		holder = strings.TrimSpace(string(content))
		if readErr != nil || holder != own || time.Now().After(deadline) {
			return holder, err
		}
	}
}
