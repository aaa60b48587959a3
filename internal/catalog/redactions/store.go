// Package redactions keeps the redaction rules of workspaces.
package redactions

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
	"github.com/promptuary/promptuary/internal/redact"
)

// Store keeps redaction rules as redact.Store promises.
type Store struct{ db *engine.DB }

// New returns the store of redaction rules of a database.
func New(db *engine.DB) *Store { return &Store{db} }

var _ redact.Store = (*Store)(nil)

const redactionColumns = `rules, updated_by, updated_at`

func scanRedaction(r engine.Row) (redact.Settings, error) {
	s := redact.Settings{UpdatedAt: new(time.Time)}
	var rules []byte
	if err := r.Scan(&rules, &s.UpdatedBy, engine.Time(s.UpdatedAt)); err != nil {
		return redact.Settings{}, err
	}
	return s, json.Unmarshal(rules, &s.Rules)
}

// Revision returns the revision of a workspace.
func (s *Store) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	return s.db.Revision(ctx, workspaceID)
}

// GetRedaction returns the rules of a workspace.
func (s *Store) GetRedaction(ctx context.Context, workspaceID int64) (redact.Settings, error) {
	found, err := engine.QueryOne(ctx, s.db, scanRedaction, `
SELECT `+redactionColumns+`
FROM redaction
WHERE workspace_id = $1`, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return redact.Settings{}, nil
	}
	return engine.Wrap(found, err, "get redaction rules")
}

// PutRedaction replaces the rules of a workspace.
func (s *Store) PutRedaction(ctx context.Context, workspaceID int64, rules []redact.Rule, updatedBy *string) (redact.Settings, error) {
	text, err := json.Marshal(rules)
	if err != nil {
		return redact.Settings{}, fmt.Errorf("put redaction rules: %w", err)
	}
	stored, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (redact.Settings, error) {
		stored, err := engine.ExecOne(ctx, s.db, scanRedaction, table.Redaction.Insert(`
(workspace_id, rules, updated_by, updated_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, updated_by = excluded.updated_by, updated_at = excluded.updated_at
RETURNING `+redactionColumns), workspaceID, string(text), updatedBy, s.db.Now())
		if err != nil {
			return redact.Settings{}, engine.Missing(err, "Workspace %d not found", workspaceID)
		}
		subject := audit.Subject{Kind: audit.SubjectRedaction, ID: workspaceID, Name: "redaction"}
		return stored, engine.Note(ctx, s.db, &workspaceID, audit.Change, subject, engine.Detail{"rules": stored.Rules})
	})
	return engine.Wrap(stored, err, "put redaction rules")
}
