package exports

import (
	"context"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/export"
)

// NoteExport adds an export to the audit log of the workspace or the installation.
func (s *Store) NoteExport(ctx context.Context, workspaceID *int64, n export.Note) error {
	detail := engine.Detail{"format": n.Format}
	if n.Compression != "" {
		detail["compression"] = n.Compression
	}
	if n.Columns != nil {
		detail["columns"] = n.Columns
	}
	if n.After != nil {
		detail["after_id"] = *n.After
	}
	if n.Query != nil {
		detail["query"] = n.Query
	}
	return engine.WrapError(s.db.InTx(ctx, func(ctx context.Context) error {
		return engine.Note(ctx, s.db, workspaceID, audit.Export, audit.Subject{Kind: n.Kind, ID: n.ID, Name: n.Name}, detail)
	}), "note the export")
}
