package deletions

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/deletion"
)

var retentions = engine.NewRecord(table.Retention, func(r *deletion.Retention) engine.Fields {
	return engine.Fields{
		"workspace_id", &r.Workspace, "rules", engine.Encoded(&r.Rules), "progress", engine.Encoded(&r.Texts), "due_at", &r.DueAt,
		"updated_by", &r.UpdatedBy, "updated_at", &r.UpdatedAt,
	}
})

var (
	put     = retentions.Insert().Replace("workspace_id")
	advance = retentions.Set(`WHERE workspace_id = $1
AND due_at = $2
AND updated_at = $3`, "due_at", "progress")
)

// GetRetention returns the rules of a workspace.
func (s *Store) GetRetention(ctx context.Context, workspaceID int64) (deletion.Retention, error) {
	found, err := retentions.One(ctx, s.db, `WHERE workspace_id = $1`, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return deletion.Retention{Workspace: workspaceID}, nil
	}
	return engine.Wrap(found, err, "get retention")
}

// PutRetention replaces the rules of a workspace.
func (s *Store) PutRetention(ctx context.Context, r deletion.Retention) (deletion.Retention, error) {
	stored, err := engine.Transact(ctx, s.db, func(ctx context.Context) (deletion.Retention, error) {
		stored, err := put.One(ctx, s.db, &r)
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
	due, err := retentions.All(ctx, s.db, `WHERE due_at <= $1
ORDER BY due_at, workspace_id
LIMIT $2`, now, limit)
	return engine.Wrap(due, err, "find retention that is due")
}

// AdvanceRetention stores when rules are due next.
func (s *Store) AdvanceRetention(ctx context.Context, r deletion.Retention, due time.Time, texts deletion.TextProgress) (bool, error) {
	next := deletion.Retention{DueAt: due, Texts: texts}
	changed, err := advance.Exec(ctx, s.db, &next, r.Workspace, r.DueAt, r.UpdatedAt)
	return changed > 0, engine.WrapError(err, "advance retention")
}
