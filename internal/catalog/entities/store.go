// Package entities keeps the entities of every kind with their versions, labels,
// external ids, tags, folders and AB tests, the environment variables, and the
// contents of skill collections.
package entities

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/skill"
)

// Store keeps entities as entity.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of entities of a database.
func New(db *engine.DB) *Store { return &Store{db} }

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// Revision returns the revision of a workspace.
func (s *Store) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	return s.db.Revision(ctx, workspaceID)
}

// EnvVars keeps environment variables as envvar.Store promises.
type EnvVars struct{ db *engine.DB }

// NewEnvVars returns the store of environment variables of a database.
func NewEnvVars(db *engine.DB) *EnvVars { return &EnvVars{db} }

// Skills keeps what only skill collections have as skill.Store promises.
type Skills struct{ db *engine.DB }

// NewSkills returns the store of skill collections of a database.
func NewSkills(db *engine.DB) *Skills { return &Skills{db} }

var (
	_ entity.Store = (*Store)(nil)
	_ envvar.Store = (*EnvVars)(nil)
	_ skill.Store  = (*Skills)(nil)
)
