package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// EachVersion calls use with each version of a page of an entity's versions,
// newest first, and returns how many there are in all; none when the entity is
// unknown. One version is in memory at a time, unless use keeps it. An error of
// use ends it and is passed on. In it nothing else may be asked of the catalog.
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
	if err != nil {
		return 0, fmt.Errorf("count versions: %w", err)
	}
	return total, nil
}

func (s *Store) countVersions(ctx context.Context, workspaceID, entityID int64) (int64, error) {
	return engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2`, workspaceID, entityID)
}

// LabelsByVersion returns the labels that point at each of the versions, by the
// version's id, in the order of their names; versions without a label are left
// out.
func (s *Store) LabelsByVersion(ctx context.Context, workspaceID int64, versionIDs []int64) (map[int64][]entity.Label, error) {
	byVersion := map[int64][]entity.Label{}
	err := engine.InChunks(engine.Distinct(versionIDs), func(ids []int64) error {
		where := engine.Where{Args: []any{workspaceID}}
		engine.AddList(&where, "label.version_id", ids)
		labels, err := engine.QueryAll(ctx, s.db, scanLabel, labelsOfWorkspace+"AND "+where.SQL()+"\nORDER BY label.name, label.id", where.Args...)
		for _, label := range labels {
			byVersion[label.VersionID] = append(byVersion[label.VersionID], label)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list labels: %w", err)
	}
	return byVersion, nil
}
