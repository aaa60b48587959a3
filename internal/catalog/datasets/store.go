// Package datasets keeps datasets and their rows.
package datasets

import (
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/dataset"
)

// Store keeps datasets as dataset.Store promises.
type Store struct {
	db       *engine.DB
	entities *entities.Store
}

// New returns the store of datasets of a database.
func New(db *engine.DB, entities *entities.Store) *Store { return &Store{db, entities} }

var _ dataset.Store = (*Store)(nil)
