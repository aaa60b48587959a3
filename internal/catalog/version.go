package catalog

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

const versionColumns = `version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at`

// versionsOfWorkspace begins every query of versions; $1 is the workspace.
// Versions of deleted entities are seen too.
const versionsOfWorkspace = `
SELECT ` + versionColumns + `
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
`

// intoVersion returns where the values of versionColumns go.
func intoVersion(v *Version) []any {
	return []any{&v.ID, &v.EntityID, &v.Number, (*[]byte)(&v.Body), &v.CommitMessage, &v.Creator, &v.CreatorID, at{&v.CreatedAt}}
}

func scanVersion(r row) (Version, error) {
	var v Version
	err := r.Scan(intoVersion(&v)...)
	return v, err
}

// AddVersion adds the next version to a live entity: its number is the
// highest so far plus one, so that numbers run 1, 2, 3 … without a gap
// however many callers there are. The fault is NotFound when there is no such
// entity and Invalid when the body is not JSON or a reference cannot be.
func (c *Catalog) AddVersion(ctx context.Context, workspaceID, entityID int64, input NewVersion) (Version, error) {
	if !json.Valid(input.Body) {
		return Version{}, fault.New(fault.Invalid, "the body of a version must be JSON")
	}
	if err := checkReferences(input.References); err != nil {
		return Version{}, fmt.Errorf("add version: %w", err)
	}
	added, err := change(ctx, c, workspaceID, func(ctx context.Context) (Version, error) {
		// The row stays locked until the end, so the next caller counts from here.
		entity, err := queryOne(ctx, c, scanEntity, `
UPDATE entity
SET last_version = last_version + 1, updated_at = $3
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+entityColumns, workspaceID, entityID, c.now())
		if err != nil {
			return Version{}, entityNotFound(err, entityID)
		}
		added, err := c.insertVersion(ctx, entityID, entity.LatestVersion, input)
		if err != nil {
			return Version{}, err
		}
		if err := c.insertReferences(ctx, workspaceID, added.ID, input.References); err != nil {
			return Version{}, err
		}
		return added, c.noteEntity(ctx, entity, audit.Publish, detail{"version": added.Number})
	})
	if err != nil {
		return Version{}, fmt.Errorf("add version: %w", err)
	}
	return added, nil
}

func (c *Catalog) insertVersion(ctx context.Context, entityID, number int64, input NewVersion) (Version, error) {
	id, err := c.nextSharedID(ctx)
	if err != nil {
		return Version{}, err
	}
	return queryOne(ctx, c, scanVersion, `
INSERT INTO version (id, entity_id, number, body, commit_message, creator, created_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, `+creatorAccount("$8")+`)
RETURNING `+versionColumns,
		id, entityID, number, string(input.Body), input.CommitMessage, input.Creator, c.now(), foldedCreator(input.Creator))
}

// GetVersion returns a version by its number; the fault is NotFound when the
// entity has none, or is of another workspace.
func (c *Catalog) GetVersion(ctx context.Context, workspaceID, entityID, number int64) (Version, error) {
	found, err := queryOne(ctx, c, scanVersion, versionsOfWorkspace+`
AND version.entity_id = $2
AND version.number = $3`, workspaceID, entityID, number)
	if err != nil {
		return Version{}, fmt.Errorf("get version: %w", notFound(err, "Version not found"))
	}
	return found, nil
}

// GetVersionByID returns a version by its id; the fault is NotFound when the
// workspace has none.
func (c *Catalog) GetVersionByID(ctx context.Context, workspaceID, id int64) (Version, error) {
	found, err := queryOne(ctx, c, scanVersion, versionsOfWorkspace+`
AND version.id = $2`, workspaceID, id)
	if err != nil {
		return Version{}, fmt.Errorf("get version: %w", notFound(err, "Version not found"))
	}
	return found, nil
}

// GetLatestVersion returns the version with the highest number; the fault is
// NotFound when the entity has no version.
func (c *Catalog) GetLatestVersion(ctx context.Context, workspaceID, entityID int64) (Version, error) {
	found, err := queryOne(ctx, c, scanVersion, versionsOfWorkspace+`
AND version.entity_id = $2
AND version.number = entity.last_version`, workspaceID, entityID)
	if err != nil {
		return Version{}, fmt.Errorf("get latest version: %w", notFound(err, "entity %d has no version", entityID))
	}
	return found, nil
}

// GetLabelledVersion returns the version the label points at; the fault is
// NotFound when the entity has no such label.
func (c *Catalog) GetLabelledVersion(ctx context.Context, workspaceID, entityID int64, label string) (Version, error) {
	found, err := queryOne(ctx, c, scanVersion, versionsOfWorkspace+`
AND version.id = (
SELECT version_id
FROM label
WHERE label.entity_id = $2
AND label.name = $3)`, workspaceID, entityID, label)
	if err != nil {
		return Version{}, fmt.Errorf("get labelled version: %w", notFound(err, "Release label not found"))
	}
	return found, nil
}

// ListVersions returns a page of an entity's versions, newest first, and how
// many there are in all; none when the entity is unknown.
func (c *Catalog) ListVersions(ctx context.Context, workspaceID, entityID int64, page Page) ([]Version, int64, error) {
	where := conditions{args: []any{workspaceID, entityID}}
	limit := pageClause(page, &where)
	versions, err := queryAll(ctx, c, scanVersion, versionsOfWorkspace+`
AND version.entity_id = $2
ORDER BY version.number DESC`+limit, where.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list versions: %w", err)
	}
	total, err := totalOf(page, len(versions), func() (int64, error) { return c.countVersions(ctx, workspaceID, entityID) })
	if err != nil {
		return nil, 0, fmt.Errorf("count versions: %w", err)
	}
	return versions, total, nil
}

// LatestVersions returns the latest version of each of the entities, by the
// entity's id; those without a version are left out.
func (c *Catalog) LatestVersions(ctx context.Context, workspaceID int64, entityIDs []int64) (map[int64]Version, error) {
	return c.versionPerEntity(ctx, workspaceID, entityIDs, "version.number = entity.last_version")
}

// LabelledVersions returns the version the label points at in each of the
// entities, by the entity's id; those without the label are left out.
func (c *Catalog) LabelledVersions(
	ctx context.Context, workspaceID int64, entityIDs []int64, label string,
) (map[int64]Version, error) {
	return c.versionPerEntity(ctx, workspaceID, entityIDs,
		"EXISTS (SELECT 1 FROM label WHERE label.version_id = version.id AND label.name = ?)", label)
}

// versionPerEntity returns the one version of each entity that meets the condition.
func (c *Catalog) versionPerEntity(
	ctx context.Context, workspaceID int64, entityIDs []int64, condition string, values ...any,
) (map[int64]Version, error) {
	byEntity := map[int64]Version{}
	err := inChunks(entityIDs, func(ids []int64) error {
		where := conditions{args: []any{workspaceID}}
		where.add(condition, values...)
		addList(&where, "version.entity_id", ids)
		versions, err := queryAll(ctx, c, scanVersion, versionsOfWorkspace+"AND "+where.where(), where.args...)
		for _, version := range versions {
			byEntity[version.EntityID] = version
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list versions: %w", err)
	}
	return byEntity, nil
}
