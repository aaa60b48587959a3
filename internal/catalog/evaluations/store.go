// Package evaluations keeps evaluations and their runs.
package evaluations

import (
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval"
)

// Store keeps evaluations as eval.Store promises.
type Store struct {
	db       *engine.DB
	entities *entities.Store
}

// New returns the store of evaluations of a database.
func New(db *engine.DB, entities *entities.Store) *Store { return &Store{db, entities} }

var (
	_ eval.Store      = (*Store)(nil)
	_ dataset.Reports = (*Store)(nil)
)
