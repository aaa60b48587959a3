package table

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"time"
)

// FileName is the name of the database file within the folder of the store.
const FileName = "logs.duckdb"

// freshSuffix ends the name of the file that is to replace the table's.
const freshSuffix = ".new"

// file is the file of the table and those beside it: the undo file, a copy that is to
// replace it, and what was set aside. The Table ensures that nobody else uses it.
type file struct {
	path string
	log  *slog.Logger
}

func fileIn(dir string, log *slog.Logger) *file {
	return &file{path: filepath.Join(dir, FileName), log: log}
}

// headers is the size of what the engine writes when it creates a file. A
// shorter file holds no data: the process was lost while it was created.
const headers = 3 * 4096

// removeUnfinished removes a file whose creation was interrupted, which is not
// damage.
func (f *file) removeUnfinished() error {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || !info.Mode().IsRegular() || info.Size() >= headers {
		return err
	}
	f.log.Info("the creation of the log table was interrupted; it is created again", "file", f.path)
	return os.Remove(f.path)
}

// setAside renames the file to a name that is free.
func (f *file) setAside() (string, error) {
	name := fmt.Sprintf("%s.damaged-%d", f.path, time.Now().UnixMilli())
	for aside, n := name, 2; ; n++ {
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, os.Rename(f.path, aside)
		} else if err != nil {
			return "", err
		}
		aside = fmt.Sprintf("%s-%d", name, n)
	}
}

// removeFresh removes what an interrupted copy has left.
func (f *file) removeFresh() error {
	for _, suffix := range []string{"", ".wal", ".wal.checkpoint"} {
		if err := os.Remove(f.path + freshSuffix + suffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove an unfinished copy of the log table: %w", err)
		}
	}
	return nil
}

// freshFiles returns the names of the files that a copy of the table can have.
func (f *file) freshFiles() (names []string) {
	for _, suffix := range []string{"", ".wal", ".wal.checkpoint", ".wal.recovery"} {
		names = append(names, quoted(f.path+freshSuffix+suffix))
	}
	return names
}
