package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// EachVersion visits a page of the versions of an entity.
func (s *Store) EachVersion(
	ctx context.Context, workspaceID, entityID int64, page entity.Page, use func(version *entity.Version) error,
) (int64, error) {
	where := engine.Where{Args: []any{workspaceID, entityID}}
	rest := ofWorkspace + `AND version.entity_id = $2
ORDER BY version.number DESC` + where.AddPage(page)
	seen := 0
	for version, err := range versions.Each(ctx, s.db, rest, where.Args...) {
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
	return versions.Count(ctx, s.db, ofWorkspace+`AND version.entity_id = $2`, workspaceID, entityID)
}

var latestVersions = engine.NewView(`entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version`, foundFields)

// VisitLatestVersions visits the latest versions of entities.
func (s *Store) VisitLatestVersions(ctx context.Context, query entity.Query, visit func(entity.FoundVersion) error) error {
	if err := CheckQuery(query); err != nil {
		return fmt.Errorf("visit latest versions: %w", err)
	}
	var where engine.Where
	addQuery(&where, query)
	for found, err := range latestVersions.Each(ctx, s.db, `WHERE entity.id IN (
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
