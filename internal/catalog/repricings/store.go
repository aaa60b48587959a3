// Package repricings keeps re-pricings of request logs.
package repricings

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/repricing"
)

// Store keeps re-pricings as repricing.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of re-pricings of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ repricing.Store = (*Store)(nil)

const repricingColumns = `id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at`

func scanRepricing(r engine.Row) (repricing.Repricing, error) {
	var one repricing.Repricing
	var progress []byte
	err := r.Scan(&one.ID, &one.Workspace, &one.Query, &one.IncludeSent, &one.State, &one.Failure, &one.Last, &one.Total, &progress,
		&one.CreatedBy, engine.Time(&one.CreatedAt), engine.NullTime(&one.EndedAt))
	if err != nil {
		return one, err
	}
	return one, json.Unmarshal(progress, &one.Progress)
}

// InTx runs fn in a transaction.
func (s *Store) InTx(ctx context.Context, fn func(ctx context.Context) error) error {
	return s.db.InTx(ctx, fn)
}

// CreateRepricing stores a re-pricing.
func (s *Store) CreateRepricing(ctx context.Context, r repricing.Repricing) (repricing.Repricing, error) {
	progress, err := json.Marshal(r.Progress)
	if err != nil {
		return r, fmt.Errorf("create re-pricing: %w", err)
	}
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (repricing.Repricing, error) {
		created, err := engine.ExecOne(ctx, s.db, scanRepricing, table.Repricing.Insert(`
(workspace_id, query, include_sent, state, last_log, total, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING `+repricingColumns), r.Workspace, r.Query, engine.Flag(r.IncludeSent), string(r.State), r.Last, r.Total, string(progress), r.CreatedBy, r.CreatedAt)
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
	found, err := engine.QueryOne(ctx, s.db, scanRepricing, `
SELECT `+repricingColumns+`
FROM repricing
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Re-pricing %d not found", id), "get re-pricing")
}

// ListRepricings lists re-pricings.
func (s *Store) ListRepricings(ctx context.Context, workspaceID int64, offset, limit int) ([]repricing.Repricing, int64, error) {
	total, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM repricing
WHERE workspace_id = $1`, workspaceID)
	if err != nil {
		return nil, 0, fmt.Errorf("count re-pricings: %w", err)
	}
	all, err := engine.QueryAll(ctx, s.db, scanRepricing, `
SELECT `+repricingColumns+`
FROM repricing
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3`, workspaceID, limit, offset)
	all, err = engine.Wrap(all, err, "list re-pricings")
	return all, total, err
}

// SaveRepricing stores the progress of a re-pricing.
func (s *Store) SaveRepricing(ctx context.Context, from repricing.State, r repricing.Repricing, action audit.Action) error {
	progress, err := json.Marshal(r.Progress)
	if err != nil {
		return fmt.Errorf("save re-pricing: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := engine.Exec(ctx, s.db, table.Repricing.Update(`
SET state = $4, failure = $5, progress = $6, ended_at = $7
WHERE workspace_id = $1
AND id = $2
AND state = $3`), r.Workspace, r.ID, string(from), string(r.State), r.Failure, string(progress), r.EndedAt)
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
	if err != nil {
		return fmt.Errorf("save re-pricing: %w", err)
	}
	return nil
}

// NoteRepricing adds an audit entry with the state of a re-pricing.
func (s *Store) NoteRepricing(ctx context.Context, r repricing.Repricing, action audit.Action) error {
	subject := audit.Subject{Kind: audit.SubjectRepricing, ID: r.ID, Name: "re-pricing " + strconv.FormatInt(r.ID, 10)}
	return engine.Note(ctx, s.db, &r.Workspace, action, subject, engine.Detail{
		"query": r.Query, "include_sent_prices": r.IncludeSent, "state": r.State, "changed": r.Changed, "old_total": r.OldUSD, "new_total": r.NewUSD,
	})
}
