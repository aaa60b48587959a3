// Package runs keeps the runs of workflows and the background jobs.
package runs

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Store keeps runs as run.Store promises and jobs as job.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of runs and jobs of a database.
func New(db *engine.DB) *Store { return &Store{db} }

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

var (
	_ run.Store = (*Store)(nil)
	_ job.Store = (*Store)(nil)
)
