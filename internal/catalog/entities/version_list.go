package entities

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// EachVersion visits a page of the versions of an entity.
func (s *Store) EachVersion(
	ctx context.Context, workspaceID, entityID int64, page entity.Page, use func(version *entity.Version) error,
) (int64, error) {
	where := engine.Where{Args: []any{workspaceID, entityID}}
	query := versionsOfWorkspace + `
AND version.entity_id = $2
ORDER BY version.number DESC` + where.AddPage(page)
	seen := 0
	for version, err := range engine.Rows(ctx, s.db, scanVersion, query, where.Args...) {
		if err == nil {
			err = use(&version)
		}
		if err != nil {
			return 0, fmt.Errorf("list versions: %w", err)
		}
		seen++
	}
	total, err := engine.Total(page, seen, func() (int64, error) { return s.countVersions(ctx, workspaceID, entityID) })
	return engine.Wrap(total, err, "count versions")
}

func (s *Store) countVersions(ctx context.Context, workspaceID, entityID int64) (int64, error) {
	return engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2`, workspaceID, entityID)
}

// VisitLatestVersions visits the latest versions of entities.
func (s *Store) VisitLatestVersions(ctx context.Context, query entity.Query, visit func(entity.FoundVersion) error) error {
	if err := CheckQuery(query); err != nil {
		return fmt.Errorf("visit latest versions: %w", err)
	}
	var where engine.Where
	addQuery(&where, query)
	for found, err := range engine.Rows(ctx, s.db, scanLatestVersion, `
SELECT `+foundColumns+`
FROM entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version
WHERE entity.id IN (
SELECT id
FROM entity
WHERE `+where.SQL()+`)`, where.Args...) {
		if err == nil {
			err = visit(found)
		}
		if err != nil {
			return fmt.Errorf("visit latest versions: %w", err)
		}
	}
	return nil
}

func scanLatestVersion(r engine.Row) (entity.FoundVersion, error) {
	var f entity.FoundVersion
	err := r.Scan(slices.Concat(Into(&f.Entity), IntoVersion(&f.Version))...)
	return f, err
}
