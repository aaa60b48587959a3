// Package accounts keeps workspaces, API keys, users, memberships and sessions,
// and reads the audit log.
package accounts

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
)

// Store keeps accounts as access.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of accounts of a database.
func New(db *engine.DB) *Store { return &Store{db} }

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// LockWorkspace locks a workspace.
func (s *Store) LockWorkspace(ctx context.Context, workspaceID int64) error {
	return engine.LockWorkspace(ctx, s.db, workspaceID)
}

var (
	_ access.Store = (*Store)(nil)
	_ audit.Reader = (*Store)(nil)
)
