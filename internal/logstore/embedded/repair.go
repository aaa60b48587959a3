package embedded

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// Repair verifies the store in dir, which nobody may have open, and does what
// can be done: it copies damaged parts of the journal to side files and puts
// empty blocks in their place, and rebuilds derived data that is damaged or
// knows logs that the journal lacks. The old derived data is moved aside. The
// report is that of Verify before the repair.
func Repair(ctx context.Context, dir string, opts Options) (*Report, error) {
	report, err := Verify(ctx, dir, opts)
	if err != nil || report.Sound() {
		return report, err
	}
	if err := report.setAside(dir); err != nil {
		return report, err
	}
	for _, name := range []string{table.FileName, textFolder} {
		if err := report.moveAside(filepath.Join(dir, name)); err != nil {
			return report, err
		}
	}
	s, err := Open(ctx, dir, opts)
	if err != nil {
		return report, fmt.Errorf("rebuild from the journal: %w", err)
	}
	return report, s.Close()
}

// setAside moves the damaged parts of the journal to side files.
func (r *Report) setAside(dir string) (err error) {
	j, err := journal.Open(filepath.Join(dir, journalFolder), journal.Options{WellFormed: wellFormed})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, j.Close()) }()
	for _, d := range r.Damage {
		path, err := j.SetAside(d.Damage)
		if path != "" {
			r.Aside = append(r.Aside, path)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// moveAside renames a file or folder to a name that is free.
func (r *Report) moveAside(path string) error {
	for n := 1; ; n++ {
		aside := fmt.Sprintf("%s.replaced-%d", path, n)
		if _, err := os.Lstat(aside); err == nil {
			continue
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		err := os.Rename(path, aside)
		if errors.Is(err, fs.ErrNotExist) {
			return nil // there is nothing to move
		}
		if err == nil {
			r.Aside = append(r.Aside, aside)
		}
		return err
	}
}
