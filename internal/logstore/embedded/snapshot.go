package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// Snapshot is a store as it was at a mark in its journal. It can only be read.
type Snapshot struct {
	*Store
	temporary string
}

// OpenSnapshot returns the store in dir, which another process may be writing to, as
// it was at a mark. It builds a table and a text index in a temporary folder, which
// takes as long as rebuilding those of the store.
func OpenSnapshot(ctx context.Context, dir string, at Mark, opts Options) (*Snapshot, error) {
	temporary, err := os.MkdirTemp("", "promptuary-snapshot-")
	if err != nil {
		return nil, fmt.Errorf("create a temporary folder: %w", err)
	}
	s := &Snapshot{Store: newStore(temporary, opts.withDefaults()), temporary: temporary}
	if err := s.build(ctx, dir, at); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Snapshot) build(ctx context.Context, dir string, at Mark) (err error) {
	if s.journal, err = journal.Open(filepath.Join(dir, journalFolder), journal.Options{ReadOnly: true, WellFormed: wellFormed}); err != nil {
		return err
	}
	s.table = table.New(s.temporary, table.Options{MemoryMB: s.opts.MemoryMB, Threads: s.opts.Threads, Logger: s.log})
	state, err := s.table.Restore(ctx, nil)
	if err != nil {
		return err
	}
	if err := s.openText(s.temporary, 0); err != nil {
		return err
	}
	s.until = &journal.Place{Block: at.Next}
	return s.recover(ctx, state)
}

// Damaged reports whether a part of the journal cannot be read.
func (s *Snapshot) Damaged() bool { return len(s.journal.Damage()) > 0 }

// Close removes what was built.
func (s *Snapshot) Close() error { return errors.Join(s.release(), os.RemoveAll(s.temporary)) }
