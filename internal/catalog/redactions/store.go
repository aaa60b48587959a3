// Package redactions keeps the redaction rules of workspaces.
package redactions

import (
	"context"
	"database/sql"
	"errors"

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

// rules are the redaction rules of a workspace.
type rules struct {
	workspace int64
	redact.Settings
}

var redactions = engine.NewRecord(table.Redaction, func(r *rules) engine.Fields {
	return engine.Fields{
		"workspace_id", &r.workspace, "rules", engine.Encoded(&r.Rules), "updated_by", &r.UpdatedBy, "updated_at", &r.UpdatedAt,
	}
})

var put = redactions.Insert().Replace("workspace_id")

// Revision returns the revision of a workspace.
func (s *Store) Revision(ctx context.Context, workspaceID int64) (int64, error) {
	return s.db.Revision(ctx, workspaceID)
}

// GetRedaction returns the rules of a workspace.
func (s *Store) GetRedaction(ctx context.Context, workspaceID int64) (redact.Settings, error) {
	found, err := redactions.One(ctx, s.db, `WHERE workspace_id = $1`, workspaceID)
	if errors.Is(err, sql.ErrNoRows) {
		return redact.Settings{}, nil
	}
	return engine.Wrap(found.Settings, err, "get redaction rules")
}

// PutRedaction replaces the rules of a workspace.
func (s *Store) PutRedaction(ctx context.Context, workspaceID int64, wanted []redact.Rule, updatedBy *string) (redact.Settings, error) {
	now := s.db.Now()
	stored, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (redact.Settings, error) {
		stored, err := put.One(ctx, s.db, &rules{workspaceID, redact.Settings{Rules: wanted, UpdatedBy: updatedBy, UpdatedAt: &now}})
		if err != nil {
			return redact.Settings{}, engine.Missing(err, "Workspace %d not found", workspaceID)
		}
		subject := audit.Subject{Kind: audit.SubjectRedaction, ID: workspaceID, Name: "redaction"}
		return stored.Settings, engine.Note(ctx, s.db, &workspaceID, audit.Change, subject, engine.Detail{"rules": stored.Rules})
	})
	return engine.Wrap(stored, err, "put redaction rules")
}
