// Package prices keeps what models cost in a workspace.
package prices

import (
	"context"

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

// row is a price of a workspace.
type row struct {
	workspace int64
	pricing.Price
}

var prices = engine.NewRecord(table.Price, func(p *row) engine.Fields {
	return engine.Fields{
		"workspace_id", &p.workspace, "id", &p.ID, "provider", &p.Provider, "model", &p.Model, "valid_from", &p.ValidFrom,
		"rates", engine.Encoded(&p.Rates), "created_by", &p.CreatedBy, "updated_at", &p.UpdatedAt,
	}
}, func(p *row) { p.Source = pricing.Custom })

var (
	create = prices.Insert("id")
	change = prices.Set(engine.InWorkspace, "provider", "model", "valid_from", "rates", "updated_at")
	put    = create.OnConflict(`(workspace_id, provider, model, valid_from) DO UPDATE SET rates = excluded.rates, updated_at = excluded.updated_at`)
)

// newRow returns the row of a price that is created or changed now.
func (s *Store) newRow(workspaceID int64, content pricing.Content, createdBy *string) row {
	return row{workspaceID, pricing.Price{Content: content, CreatedBy: createdBy, UpdatedAt: s.db.Now()}}
}

// Revision returns the revision of a workspace.
func (s *Store) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	return s.db.Revision(ctx, workspaceID)
}

// ListPrices lists the prices of a workspace.
func (s *Store) ListPrices(ctx context.Context, workspaceID int64) ([]pricing.Price, error) {
	found, err := prices.All(ctx, s.db, `WHERE workspace_id = $1
ORDER BY provider, model, valid_from DESC`, workspaceID)
	all := make([]pricing.Price, len(found))
	for i := range found {
		all[i] = found[i].Price
	}
	return engine.Wrap(all, err, "list prices")
}

// GetPrice returns a price by its id.
func (s *Store) GetPrice(ctx context.Context, workspaceID, id int64) (pricing.Price, error) {
	found, err := prices.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found.Price, priceNotFound(err, id), "get price")
}

func priceNotFound(err error, id int64) error { return engine.NotFound(err, "Price %d not found", id) }

func priceTaken(err error, c *pricing.Content) error {
	return engine.Taken(err, "Model %q of provider %q already has a price that is valid from %s", c.Model, c.Provider, c.ValidFrom.Format("2006-01-02T15:04:05.999999Z07:00"))
}

// CreatePrice adds a price.
func (s *Store) CreatePrice(ctx context.Context, workspaceID int64, content pricing.Content, createdBy *string) (pricing.Price, error) {
	added := s.newRow(workspaceID, content, createdBy)
	created, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (pricing.Price, error) {
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return pricing.Price{}, err
		}
		created, err := create.One(ctx, s.db, &added)
		if err != nil {
			return pricing.Price{}, engine.Missing(priceTaken(err, &content), "Workspace %d not found", workspaceID)
		}
		if err := s.checkPriceRoom(ctx, workspaceID); err != nil {
			return pricing.Price{}, err
		}
		return created.Price, s.notePrice(ctx, workspaceID, audit.Create, &created.Price)
	})
	return engine.Wrap(created, err, "create price")
}

// checkPriceRoom rejects the change that was just made if there are too many
// prices now. The lock on the workspace serialises changes.
func (s *Store) checkPriceRoom(ctx context.Context, workspaceID int64) error {
	count, err := prices.Count(ctx, s.db, `WHERE workspace_id = $1`, workspaceID)
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
	rows := make([]row, len(contents))
	for i := range contents {
		rows[i] = s.newRow(workspaceID, contents[i], createdBy)
	}
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		if err := engine.LockWorkspace(ctx, s.db, workspaceID); err != nil {
			return err
		}
		err := put.InsertAll(ctx, s.db, rows)
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
	return engine.WrapError(err, "import prices")
}

// UpdatePrice changes a price.
func (s *Store) UpdatePrice(ctx context.Context, workspaceID, id int64, content pricing.Content) (pricing.Price, error) {
	wanted := s.newRow(workspaceID, content, nil)
	changed, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (pricing.Price, error) {
		changed, err := change.One(ctx, s.db, &wanted, workspaceID, id)
		if err != nil {
			return pricing.Price{}, priceNotFound(priceTaken(err, &content), id)
		}
		return changed.Price, s.notePrice(ctx, workspaceID, audit.Change, &changed.Price)
	})
	return engine.Wrap(changed, err, "update price")
}

// DeletePrice deletes a price.
func (s *Store) DeletePrice(ctx context.Context, workspaceID, id int64) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		deleted, err := prices.Delete(ctx, s.db, engine.InWorkspace, workspaceID, id)
		if err != nil {
			return priceNotFound(err, id)
		}
		return s.notePrice(ctx, workspaceID, audit.Delete, &deleted.Price)
	})
	return engine.WrapError(err, "delete price")
}
