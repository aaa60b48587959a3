package deletions

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/deletion"
)

const retentionColumns = `workspace_id, rules, progress, due_at, updated_by, updated_at`

func scanRetention(r engine.Row) (deletion.Retention, error) {
	one := deletion.Retention{UpdatedAt: new(time.Time)}
	var rules, progress []byte
	if err := r.Scan(&one.Workspace, &rules, &progress, engine.Time(&one.DueAt), &one.UpdatedBy, engine.Time(one.UpdatedAt)); err != nil {
		return deletion.Retention{}, err
	}
	return one, errors.Join(json.Unmarshal(rules, &one.Rules), json.Unmarshal(progress, &one.Texts))
}

// GetRetention returns the rules of a workspace.
func (s *Store) GetRetention(ctx context.Context, workspaceID int64) (deletion.Retention, error) {
	found, err := engine.QueryOne(ctx, s.db, scanRetention, `
SELECT `+retentionColumns+`
FROM retention
WHERE workspace_id = $1`, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return deletion.Retention{Workspace: workspaceID}, nil
	}
	return engine.Wrap(found, err, "get retention")
}

// PutRetention replaces the rules of a workspace.
func (s *Store) PutRetention(ctx context.Context, r deletion.Retention) (deletion.Retention, error) {
	rules, err := json.Marshal(r.Rules)
	if err != nil {
		return r, fmt.Errorf("put retention: %w", err)
	}
	progress, err := json.Marshal(r.Texts)
	if err != nil {
		return r, fmt.Errorf("put retention: %w", err)
	}
	stored, err := engine.Transact(ctx, s.db, func(ctx context.Context) (deletion.Retention, error) {
		stored, err := engine.ExecOne(ctx, s.db, scanRetention, table.Retention.Insert(`
(workspace_id, rules, progress, due_at, updated_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, progress = excluded.progress, due_at = excluded.due_at,
updated_by = excluded.updated_by, updated_at = excluded.updated_at
RETURNING `+retentionColumns), r.Workspace, string(rules), string(progress), r.DueAt, r.UpdatedBy, r.UpdatedAt)
		if err != nil {
			return stored, engine.Missing(err, "Workspace %d not found", r.Workspace)
		}
		subject := audit.Subject{Kind: audit.SubjectRetention, ID: r.Workspace, Name: "retention"}
		return stored, engine.Note(ctx, s.db, &r.Workspace, audit.Change, subject, engine.Detail{"rules": stored.Rules})
	})
	return engine.Wrap(stored, err, "put retention")
}

// DueRetentions returns rules that are due.
func (s *Store) DueRetentions(ctx context.Context, now time.Time, limit int) ([]deletion.Retention, error) {
	due, err := engine.QueryAll(ctx, s.db, scanRetention, `
SELECT `+retentionColumns+`
FROM retention
WHERE due_at <= $1
ORDER BY due_at, workspace_id
LIMIT $2`, now, limit)
	return engine.Wrap(due, err, "find retention that is due")
}

// AdvanceRetention stores when rules are due next.
func (s *Store) AdvanceRetention(ctx context.Context, r deletion.Retention, due time.Time, texts deletion.TextProgress) (bool, error) {
	progress, err := json.Marshal(texts)
	if err != nil {
		return false, fmt.Errorf("advance retention: %w", err)
	}
	changed, err := engine.Exec(ctx, s.db, table.Retention.Update(`
SET due_at = $4, progress = $5
WHERE workspace_id = $1
AND due_at = $2
AND updated_at = $3`), r.Workspace, r.DueAt, r.UpdatedAt, due, string(progress))
	if err != nil {
		return false, fmt.Errorf("advance retention: %w", err)
	}
	return changed > 0, nil
}
