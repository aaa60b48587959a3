package entities

import (
	"context"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
)

func scanReferringVersion(r engine.Row) (entity.ReferringVersion, error) {
	var v entity.ReferringVersion
	err := r.Scan(&v.EntityID, &v.EntityName, &v.VersionID, &v.VersionNumber,
		&v.Reference.Name, &v.Reference.Number, &v.Reference.Label)
	return v, err
}

func checkReferences(references []entity.Reference) error {
	for _, reference := range references {
		if err := engine.CheckLength("The name of a reference", reference.Name, engine.MaxName); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) insertReferences(ctx context.Context, workspaceID, versionID int64, references []entity.Reference) error {
	references = engine.DistinctInOrder(references)
	rows := make([][]any, len(references))
	for i, reference := range references {
		number, label := pinOf(reference)
		rows[i] = []any{versionID, i + 1, workspaceID, reference.Name, number, label}
	}
	return engine.InsertRows(ctx, s.db, table.VersionReference, `(version_id, position, workspace_id, name, number, label)`, rows)
}

// pinOf returns the number and the label of a reference as they are stored.
func pinOf(r entity.Reference) (number *int64, label *string) {
	if r.Number != 0 {
		number = &r.Number
	}
	if r.Label != "" {
		label = &r.Label
	}
	return number, label
}

// ListReferences returns the versions that refer to a name. Only prompts are referred
// to.
func (s *Store) ListReferences(ctx context.Context, workspaceID int64, name string) ([]entity.ReferringVersion, error) {
	found, err := engine.QueryAll(ctx, s.db, scanReferringVersion, `
SELECT entity.id, entity.name, version.id, version.number,
version_reference.name, COALESCE(version_reference.number, 0), COALESCE(version_reference.label, '')
FROM version_reference
JOIN version ON version.id = version_reference.version_id
JOIN entity ON entity.id = version.entity_id
WHERE version_reference.workspace_id = $1
AND version_reference.name IN (
SELECT CAST($2 AS TEXT)
UNION ALL
SELECT former_name.name
FROM former_name
JOIN entity AS renamed ON renamed.id = former_name.entity_id
WHERE former_name.workspace_id = $1
AND former_name.kind = $3
AND renamed.name = $2
AND renamed.deleted_at IS NULL)
AND entity.deleted_at IS NULL
ORDER BY entity.id, version.number, version_reference.position`, workspaceID, name, entity.KindPrompt)
	return engine.Wrap(found, err, "list references")
}
