// Package deletions keeps deletions of request logs, and rules of retention.
package deletions

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/fault"
)

// Store keeps deletions and rules of retention as deletion.Store and
// deletion.RetentionStore promise.
type Store struct{ db *engine.DB }

// New returns the store of deletions of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var (
	_ deletion.Store          = (*Store)(nil)
	_ deletion.RetentionStore = (*Store)(nil)
)

const deletionColumns = `id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log, total, progress, created_by, created_at, ended_at`

func scanDeletion(r engine.Row) (deletion.Deletion, error) {
	var one deletion.Deletion
	var progress []byte
	err := r.Scan(&one.ID, &one.Workspace, &one.Source, &one.Query, &one.User, &one.TextsOnly, &one.MetadataKey, &one.ScoreName, &one.WithTraces, &one.State, &one.Failure, &one.After, &one.Last, &one.Total, &progress,
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

// CreateDeletion stores a deletion.
func (s *Store) CreateDeletion(ctx context.Context, d deletion.Deletion) (deletion.Deletion, error) {
	progress, err := json.Marshal(d.Progress)
	if err != nil {
		return d, fmt.Errorf("create deletion: %w", err)
	}
	created, err := engine.Transact(ctx, s.db, func(ctx context.Context) (deletion.Deletion, error) {
		created, err := engine.ExecOne(ctx, s.db, scanDeletion, table.Deletion.Insert(`
(workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, after_log, last_log, total, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING `+deletionColumns), d.Workspace, string(d.Source), d.Query, d.User, engine.Flag(d.TextsOnly), d.MetadataKey, d.ScoreName, engine.Flag(d.WithTraces),
			string(d.State), d.After, d.Last, d.Total, string(progress), d.CreatedBy, d.CreatedAt)
		if err != nil {
			return created, engine.Missing(err, "Workspace %d not found", d.Workspace)
		}
		return created, s.NoteDeletion(ctx, created, audit.Create)
	})
	return engine.Wrap(created, err, "create deletion")
}

// GetDeletion returns a deletion by its id.
func (s *Store) GetDeletion(ctx context.Context, workspaceID, id int64) (deletion.Deletion, error) {
	found, err := engine.QueryOne(ctx, s.db, scanDeletion, `
SELECT `+deletionColumns+`
FROM deletion
WHERE workspace_id = $1
AND id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Deletion %d not found", id), "get deletion")
}

// ListDeletions lists deletions.
func (s *Store) ListDeletions(ctx context.Context, workspaceID int64, offset, limit int) ([]deletion.Deletion, int64, error) {
	total, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM deletion
WHERE workspace_id = $1`, workspaceID)
	if err != nil {
		return nil, 0, fmt.Errorf("count deletions: %w", err)
	}
	all, err := engine.QueryAll(ctx, s.db, scanDeletion, `
SELECT `+deletionColumns+`
FROM deletion
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3`, workspaceID, limit, offset)
	all, err = engine.Wrap(all, err, "list deletions")
	return all, total, err
}

// SaveDeletion stores the progress of a deletion.
func (s *Store) SaveDeletion(ctx context.Context, from deletion.State, d deletion.Deletion) error {
	progress, err := json.Marshal(d.Progress)
	if err != nil {
		return fmt.Errorf("save deletion: %w", err)
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		changed, err := engine.Exec(ctx, s.db, table.Deletion.Update(`
SET state = $4, failure = $5, progress = $6, ended_at = $7
WHERE workspace_id = $1
AND id = $2
AND state = $3`), d.Workspace, d.ID, string(from), string(d.State), d.Failure, string(progress), d.EndedAt)
		if err != nil {
			return err
		}
		if changed == 0 {
			return fault.New(fault.Conflict, "The deletion is no longer %s", from)
		}
		if d.Active() {
			return nil
		}
		return s.NoteDeletion(ctx, d, audit.Delete)
	})
	if err != nil {
		return fmt.Errorf("save deletion: %w", err)
	}
	return nil
}

// NoteDeletion adds an audit entry with the state of a deletion.
func (s *Store) NoteDeletion(ctx context.Context, d deletion.Deletion, action audit.Action) error {
	digest, err := d.IDsDigest()
	if err != nil {
		return err
	}
	subject := audit.Subject{Kind: audit.SubjectDeletion, ID: d.ID, Name: d.Subject()}
	return engine.Note(ctx, s.db, &d.Workspace, action, subject, engine.Detail{
		"source": d.Source, "query": d.Query, "user": d.User, "texts_only": d.TextsOnly, "metadata_key": d.MetadataKey, "score_name": d.ScoreName,
		"with_traces": d.WithTraces, "state": d.State, "logs": d.Logs, "traces": d.Traces, "ids_sha256": digest,
	})
}
