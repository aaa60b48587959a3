// Package repricings keeps re-pricings of request logs.
package repricings

import (
	"context"
	"strconv"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/repricing"
)

// Store keeps re-pricings as repricing.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of re-pricings of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ repricing.Store = (*Store)(nil)

var repricings = engine.NewRecord(table.Repricing, func(r *repricing.Repricing) engine.Fields {
	return engine.Fields{
		"id", &r.ID, "workspace_id", &r.Workspace, "query", &r.Query, "include_sent", &r.IncludeSent, "state", engine.Text(&r.State),
		"failure", &r.Failure, "last_log", &r.Last, "total", &r.Total, "progress", engine.Encoded(&r.Progress),
		"created_by", &r.CreatedBy, "created_at", &r.CreatedAt, "ended_at", &r.EndedAt,
	}
})

var (
	create = repricings.Insert("id", "failure", "ended_at")
	save   = repricings.Set(engine.InWorkspace+`
AND state = $3`, "state", "failure", "progress", "ended_at")
)

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateRepricing stores a re-pricing.
func (s *Store) CreateRepricing(ctx context.Context, r repricing.Repricing) (repricing.Repricing, error) {
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (repricing.Repricing, error) {
		created, err := create.One(ctx, s.db, &r)
		if err != nil {
			return created, engine.Missing(otherActive(err), "Workspace %d not found", r.Workspace)
		}
		return created, s.NoteRepricing(ctx, created, audit.Create)
	})
	return engine.Wrap(created, err, "create re-pricing")
}

func otherActive(err error) error {
	return engine.Taken(err, "Another re-pricing of the workspace has not ended yet")
}

// GetRepricing returns a re-pricing by its id.
func (s *Store) GetRepricing(ctx context.Context, workspaceID, id int64) (repricing.Repricing, error) {
	found, err := repricings.One(ctx, s.db, engine.InWorkspace, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Re-pricing %d not found", id), "get re-pricing")
}

// ListRepricings lists re-pricings.
func (s *Store) ListRepricings(ctx context.Context, workspaceID int64, offset, limit int) ([]repricing.Repricing, int64, error) {
	all, total, err := repricings.Newest(ctx, s.db, workspaceID, entity.Page{Limit: limit, Offset: offset})
	return all, total, engine.WrapError(err, "list re-pricings")
}

// SaveRepricing stores the progress of a re-pricing.
func (s *Store) SaveRepricing(ctx context.Context, from repricing.State, r repricing.Repricing, action audit.Action) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := save.Exec(ctx, s.db, &r, r.Workspace, r.ID, string(from))
		if err != nil {
			return otherActive(err)
		}
		if changed == 0 {
			return fault.New(fault.Conflict, "The re-pricing is no longer %s", from)
		}
		if action == "" {
			return nil
		}
		return s.NoteRepricing(ctx, r, action)
	})
	return engine.WrapError(err, "save re-pricing")
}

// NoteRepricing adds an audit entry with the state of a re-pricing.
func (s *Store) NoteRepricing(ctx context.Context, r repricing.Repricing, action audit.Action) error {
	subject := audit.Subject{Kind: audit.SubjectRepricing, ID: r.ID, Name: "re-pricing " + strconv.FormatInt(r.ID, 10)}
	return engine.Note(ctx, s.db, &r.Workspace, action, subject, engine.Detail{
		"query": r.Query, "include_sent_prices": r.IncludeSent, "state": r.State, "changed": r.Changed, "old_total": r.OldUSD, "new_total": r.NewUSD,
	})
}
