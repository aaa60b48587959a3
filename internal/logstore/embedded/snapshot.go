package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
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
	built, err := openDerived(dir, temporary, opts.withDefaults())
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(temporary))
	}
	s := &Snapshot{Store: built, temporary: temporary}
	s.upkeep.until = &journal.Place{Block: at.Next}
	if err := s.recover(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Damaged reports whether a part of the journal cannot be read.
func (s *Snapshot) Damaged() bool { return len(s.journal.Damage()) > 0 }

// Close removes what was built.
func (s *Snapshot) Close() error { return errors.Join(s.release(), os.RemoveAll(s.temporary)) }
