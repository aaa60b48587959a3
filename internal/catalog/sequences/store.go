// Package sequences gives out the ids of request logs and spans.
package sequences

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
)

// Store keeps sequences as ingest.Sequence promises.
type Store struct{ db *engine.DB }

// New returns the store of sequences of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ ingest.Sequence = (*Store)(nil)

// SettledID returns an id up to which no id of a sequence is used any more.
func (s *Store) SettledID(ctx context.Context, sequence string) (int64, error) {
	return engine.SettledID(ctx, s.db, sequence)
}

// ReserveIDs takes consecutive ids from a sequence.
func (s *Store) ReserveIDs(ctx context.Context, sequence string, n int64) (first int64, err error) {
	return engine.ReserveIDs(ctx, s.db, sequence, n)
}

// EnsureIDsAbove ensures that all ids reserved from now on are greater than
// floor. A sequence that is already past it is not changed. The fault is Invalid
// when floor is negative or greater than 2⁶².
func (s *Store) EnsureIDsAbove(ctx context.Context, sequence string, floor int64) error {
	return engine.EnsureIDsAbove(ctx, s.db, sequence, floor)
}
