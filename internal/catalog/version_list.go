package catalog

import (
	"context"
	"fmt"
)

// EachVersion calls use with each version of a page of an entity's versions,
// newest first, and returns how many there are in all; none when the entity is
// unknown. One version is in memory at a time, unless use keeps it. An error of
// use ends it and is passed on. In it nothing else may be asked of the catalog.
func (c *Catalog) EachVersion(
	ctx context.Context, workspaceID, entityID int64, page Page, use func(version *Version) error,
) (int64, error) {
	seen, err := c.eachVersion(ctx, workspaceID, entityID, page, use)
	if err != nil {
		return 0, fmt.Errorf("list versions: %w", mapError(ctx, err))
	}
	total, err := totalOf(page, seen, func() (int64, error) { return c.countVersions(ctx, workspaceID, entityID) })
	if err != nil {
		return 0, fmt.Errorf("count versions: %w", err)
	}
	return total, nil
}

func (c *Catalog) eachVersion(
	ctx context.Context, workspaceID, entityID int64, page Page, use func(version *Version) error,
) (seen int, err error) {
	where := conditions{args: []any{workspaceID, entityID}}
	query := versionsOfWorkspace + `
AND version.entity_id = $2
ORDER BY version.number DESC` + pageClause(page, &where)
	on, args, err := c.ready(ctx, query, where.args)
	if err != nil {
		return 0, err
	}
	rows, err := on.QueryContext(ctx, query, args...)
	if err != nil {
		return 0, err
	}
	defer func() { _ = rows.Close() }()
	for ; rows.Next(); seen++ {
		version, err := scanVersion(rows)
		if err != nil {
			return 0, err
		}
		if err := use(&version); err != nil {
			return 0, err
		}
	}
	return seen, rows.Err()
}

func (c *Catalog) countVersions(ctx context.Context, workspaceID, entityID int64) (int64, error) {
	return queryOne(ctx, c, scanInt, `
SELECT COUNT(*)
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2`, workspaceID, entityID)
}

// LabelsByVersion returns the labels that point at each of the versions, by the
// version's id, in the order of their names; versions without a label are left
// out.
func (c *Catalog) LabelsByVersion(ctx context.Context, workspaceID int64, versionIDs []int64) (map[int64][]Label, error) {
	byVersion := map[int64][]Label{}
	err := inChunks(distinct(versionIDs), func(ids []int64) error {
		where := conditions{args: []any{workspaceID}}
		addList(&where, "label.version_id", ids)
		labels, err := queryAll(ctx, c, scanLabel, labelsOfWorkspace+"AND "+where.where()+"\nORDER BY label.name, label.id", where.args...)
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
