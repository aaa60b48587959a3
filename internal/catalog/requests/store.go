// Package requests keeps what the catalog knows about request logs: the ids they
// get, the groups they can be put into, the saved views of them, what models cost,
// the re-pricings, the redaction rules, and the imports.
package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/view"
)

// Store keeps ids and groups as reqlog.Sequence and reqlog.Groups promise.
type Store struct{ db *engine.DB }

// New returns the store of ids and groups of a database.
func New(db *engine.DB) *Store { return &Store{db} }

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

// Views keeps saved views and dashboards as view.Store promises.
type Views struct{ db *engine.DB }

// NewViews returns the store of views of a database.
func NewViews(db *engine.DB) *Views { return &Views{db} }

// Prices keeps custom prices as pricing.Store promises.
type Prices struct{ db *engine.DB }

// NewPrices returns the store of prices of a database.
func NewPrices(db *engine.DB) *Prices { return &Prices{db} }

// Repricings keeps re-pricings as repricing.Store promises.
type Repricings struct{ db *engine.DB }

// NewRepricings returns the store of re-pricings of a database.
func NewRepricings(db *engine.DB) *Repricings { return &Repricings{db} }

// Exports stores exports.
type Exports struct{ db *engine.DB }

// NewExports returns the store over a database.
func NewExports(db *engine.DB) *Exports { return &Exports{db} }

// Deletions keeps deletions and rules of retention as deletion.Store and
// deletion.RetentionStore promise.
type Deletions struct{ db *engine.DB }

// NewDeletions returns the store of deletions of a database.
func NewDeletions(db *engine.DB) *Deletions { return &Deletions{db} }

// Redactions keeps redaction rules as redact.Store promises.
type Redactions struct{ db *engine.DB }

// NewRedactions returns the store of redaction rules of a database.
func NewRedactions(db *engine.DB) *Redactions { return &Redactions{db} }

// Imports keeps imports as importer.Store promises.
type Imports struct{ db *engine.DB }

// NewImports returns the store of imports of a database.
func NewImports(db *engine.DB) *Imports { return &Imports{db} }

var (
	_ importer.Store          = (*Imports)(nil)
	_ pricing.Store           = (*Prices)(nil)
	_ redact.Store            = (*Redactions)(nil)
	_ repricing.Store         = (*Repricings)(nil)
	_ reqlog.Groups           = (*Store)(nil)
	_ reqlog.Sequence         = (*Store)(nil)
	_ view.Store              = (*Views)(nil)
	_ deletion.RetentionStore = (*Deletions)(nil)
	_ deletion.Store          = (*Deletions)(nil)
	_ pricing.Store           = (*Prices)(nil)
	_ redact.Store            = (*Redactions)(nil)
	_ repricing.Store         = (*Repricings)(nil)
	_ reqlog.Groups           = (*Store)(nil)
	_ reqlog.Sequence         = (*Store)(nil)
	_ view.Store              = (*Views)(nil)
)
