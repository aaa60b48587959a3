// Package prices keeps what models cost in a workspace.
package prices

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/pricing"
)

// Store keeps custom prices as pricing.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of prices of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ pricing.Store = (*Store)(nil)

const priceColumns = `id, provider, model, valid_from, rates, created_by, updated_at`

func scanPrice(r engine.Row) (pricing.Price, error) {
	p := pricing.Price{Source: pricing.Custom}
	var rates []byte
	err := r.Scan(&p.ID, &p.Provider, &p.Model, engine.Time(&p.ValidFrom), &rates, &p.CreatedBy, engine.Time(&p.UpdatedAt))
	if err != nil {
		return p, err
	}
	return p, json.Unmarshal(rates, &p.Rates)
}

// Revision returns the revision of a workspace.
func (s *Store) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	return s.db.Revision(ctx, workspaceID)
}

// ListPrices lists the prices of a workspace.
func (s *Store) ListPrices(ctx context.Context, workspaceID int64) ([]pricing.Price, error) {
	all, err := engine.QueryAll(ctx, s.db, scanPrice, `
SELECT `+priceColumns+`
FROM price
WHERE workspace_id = $1
ORDER BY provider, model, valid_from DESC`, workspaceID)
	return engine.Wrap(all, err, "list prices")
}

// GetPrice returns a price by its id.
func (s *Store) GetPrice(ctx context.Context, workspaceID, id int64) (pricing.Price, error) {
	found, err := engine.QueryOne(ctx, s.db, scanPrice, `
SELECT `+priceColumns+`
FROM price
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, priceNotFound(err, id), "get price")
}

func priceNotFound(err error, id int64) error { return engine.NotFound(err, "Price %d not found", id) }

func priceTaken(err error, c *pricing.Content) error {
	return engine.Taken(err, "Model %q of provider %q already has a price that is valid from %s", c.Model, c.Provider, c.ValidFrom.Format("2006-01-02T15:04:05.999999Z07:00"))
}

// CreatePrice adds a price.
func (s *Store) CreatePrice(ctx context.Context, workspaceID int64, content pricing.Content, createdBy *string) (pricing.Price, error) {
	rates, err := json.Marshal(content.Rates)
	if err != nil {
		return pricing.Price{}, fmt.Errorf("create price: %w", err)
	}
	created, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (pricing.Price, error) {
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return pricing.Price{}, err
		}
		created, err := engine.ExecOne(ctx, s.db, scanPrice, table.Price.Insert(`
(workspace_id, provider, model, valid_from, rates, created_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING `+priceColumns), workspaceID, content.Provider, content.Model, content.ValidFrom, string(rates), createdBy, s.db.Now())
		if err != nil {
			return pricing.Price{}, engine.Missing(priceTaken(err, &content), "Workspace %d not found", workspaceID)
		}
		if err := s.checkPriceRoom(ctx, workspaceID); err != nil {
			return pricing.Price{}, err
		}
		return created, s.notePrice(ctx, workspaceID, audit.Create, &created)
	})
	return engine.Wrap(created, err, "create price")
}

// checkPriceRoom rejects the change that was just made if there are too many
// prices now. The lock on the workspace serialises changes.
func (s *Store) checkPriceRoom(ctx context.Context, workspaceID int64) error {
	count, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM price
WHERE workspace_id = $1`, workspaceID)
	if err == nil && count > pricing.MaxPrices {
		err = fault.New(fault.Invalid, "A workspace cannot have more than %d prices: delete one first", pricing.MaxPrices)
	}
	return err
}

// notePrice adds an audit entry with the rates of a price.
func (s *Store) notePrice(ctx context.Context, workspaceID int64, action audit.Action, p *pricing.Price) error {
	subject := audit.Subject{Kind: audit.SubjectPrice, ID: p.ID, Name: p.Provider + " " + p.Model}
	return engine.Note(ctx, s.db, &workspaceID, action, subject, engine.Detail{"valid_from": p.ValidFrom, "rates": p.Rates})
}

// ImportPrices adds or replaces prices.
func (s *Store) ImportPrices(ctx context.Context, workspaceID int64, contents []pricing.Content, createdBy *string) error {
	now := s.db.Now()
	values := make([][]any, len(contents))
	for i := range contents {
		c := &contents[i]
		rates, err := json.Marshal(c.Rates)
		if err != nil {
			return fmt.Errorf("import prices: %w", err)
		}
		values[i] = []any{workspaceID, c.Provider, c.Model, c.ValidFrom, string(rates), createdBy, now}
	}
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return err
		}
		err := engine.PutRows(ctx, s.db, table.Price, `(workspace_id, provider, model, valid_from, rates, created_by, updated_at)`, values, `
ON CONFLICT (workspace_id, provider, model, valid_from) DO UPDATE SET rates = excluded.rates, updated_at = excluded.updated_at`)
		if err != nil {
			return engine.Missing(err, "Workspace %d not found", workspaceID)
		}
		if err := s.checkPriceRoom(ctx, workspaceID); err != nil {
			return err
		}
		// The subject is the price list of the workspace.
		subject := audit.Subject{Kind: audit.SubjectPrice, ID: workspaceID, Name: "prices"}
		return engine.Note(ctx, s.db, &workspaceID, audit.Import, subject, engine.Detail{"count": len(contents)})
	})
	if err != nil {
		return fmt.Errorf("import prices: %w", err)
	}
	return nil
}

// UpdatePrice changes a price.
func (s *Store) UpdatePrice(ctx context.Context, workspaceID, id int64, content pricing.Content) (pricing.Price, error) {
	rates, err := json.Marshal(content.Rates)
	if err != nil {
		return pricing.Price{}, fmt.Errorf("update price: %w", err)
	}
	changed, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (pricing.Price, error) {
		changed, err := engine.ExecOne(ctx, s.db, scanPrice, table.Price.Update(`
SET provider = $3, model = $4, valid_from = $5, rates = $6, updated_at = $7
WHERE workspace_id = $1
AND id = $2
RETURNING `+priceColumns), workspaceID, id, content.Provider, content.Model, content.ValidFrom, string(rates), s.db.Now())
		if err != nil {
			return pricing.Price{}, priceNotFound(priceTaken(err, &content), id)
		}
		return changed, s.notePrice(ctx, workspaceID, audit.Change, &changed)
	})
	return engine.Wrap(changed, err, "update price")
}

// DeletePrice deletes a price.
func (s *Store) DeletePrice(ctx context.Context, workspaceID, id int64) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		deleted, err := engine.ExecOne(ctx, s.db, scanPrice, table.Price.Delete(`
WHERE workspace_id = $1
AND id = $2
RETURNING `+priceColumns), workspaceID, id)
		if err != nil {
			return priceNotFound(err, id)
		}
		return s.notePrice(ctx, workspaceID, audit.Delete, &deleted)
	})
	if err != nil {
		return fmt.Errorf("delete price: %w", err)
	}
	return nil
}
