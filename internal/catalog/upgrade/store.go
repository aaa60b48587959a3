// Package upgrade reads and replaces what earlier versions of the program have
// stored, for upgrades that SQL alone cannot do.
package upgrade

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
)

// Store reads and replaces stored texts.
type Store struct{ db *engine.DB }

// New returns the store of a database.
func New(db *engine.DB) *Store { return &Store{db} }

// Text is a stored text that contains configurations of steps.
type Text struct {
	ID        int64
	Workspace int64
	// Type is the type of the step, empty for a version of a workflow.
	Type string
	Text string
}

// Place is a kind of texts.
type Place struct {
	table table.Table
	// column has the text.
	column string
	// query selects the fields of Text, up to a condition on the id.
	query string
}

// Places returns the places of all configurations of steps.
func Places() []Place {
	return []Place{
		{table.Version, "body", `
SELECT version.id, entity.workspace_id, '', version.body
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.kind = '` + string(entity.KindWorkflow) + `'
AND version.id`},
		{table.ReportColumn, "configuration", `
SELECT report_column.id, entity.workspace_id, report_column.type, report_column.configuration
FROM report_column
JOIN entity ON entity.id = report_column.report_id
WHERE report_column.id`},
		{table.ReportRunColumn, "configuration", `
SELECT report_run_column.id, report_run.workspace_id, report_run_column.type, report_run_column.configuration
FROM report_run_column
JOIN report_run ON report_run.id = report_run_column.run_id
WHERE report_run_column.id`},
	}
}

// Texts returns up to limit texts with ids above after, in their order,
// including those of deleted entities.
func (s *Store) Texts(ctx context.Context, in Place, after int64, limit int) ([]Text, error) {
	found, err := engine.QueryAll(ctx, s.db, func(r engine.Row) (Text, error) {
		var t Text
		err := r.Scan(&t.ID, &t.Workspace, &t.Type, &t.Text)
		return t, err
	}, in.query+` > $1
ORDER BY 1
LIMIT $2`, after, limit)
	return engine.Wrap(found, err, "read texts to upgrade")
}

// Replace replaces a text, unless it has been changed in the meantime. It is no change
// of a user, and so it is not audited.
func (s *Store) Replace(ctx context.Context, in Place, id int64, before, after string) error {
	_, err := engine.ExecUnaudited(ctx, s.db, in.table.Update(`
SET `+in.column+` = $3
WHERE id = $1
AND `+in.column+` = $2`), id, before, after)
	if err != nil {
		return fmt.Errorf("replace an upgraded text: %w", err)
	}
	return nil
}

// CredentialsSealed reports whether all stored credentials are sealed.
func (s *Store) CredentialsSealed(ctx context.Context) (bool, error) {
	sealed, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COALESCE(MAX(credentials_sealed), 0)
FROM installation`)
	if err != nil {
		return false, fmt.Errorf("read the state of an upgrade: %w", err)
	}
	return sealed != 0, nil
}

// SetCredentialsSealed records that all stored credentials are sealed.
func (s *Store) SetCredentialsSealed(ctx context.Context) error {
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		_, err := engine.Exec(ctx, s.db, table.Installation.Update(`
SET credentials_sealed = 1`))
		return err
	})
	if err != nil {
		return fmt.Errorf("store the state of an upgrade: %w", err)
	}
	return nil
}
