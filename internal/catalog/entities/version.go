package entities

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// VersionColumns are the columns of a version, in the order of IntoVersion.
const VersionColumns = `version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at`

// versionsOfWorkspace begins every query of versions; $1 is the workspace.
// Versions of deleted entities are seen too.
const versionsOfWorkspace = `
SELECT ` + VersionColumns + `
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
`

// IntoVersion returns the destinations of VersionColumns.
func IntoVersion(v *entity.Version) []any {
	return []any{&v.ID, &v.EntityID, &v.Number, (*[]byte)(&v.Body), &v.CommitMessage, &v.Creator, &v.CreatorID, engine.Time(&v.CreatedAt)}
}

func scanVersion(r engine.Row) (entity.Version, error) {
	var v entity.Version
	err := r.Scan(IntoVersion(&v)...)
	return v, err
}

// AddVersion adds the next version to a live entity: its number is the
// highest so far plus one, so that numbers run 1, 2, 3 … without a gap
// however many callers there are. The fault is NotFound when there is no such
// entity and Invalid when the body is not JSON or a reference cannot be.
func (s *Store) AddVersion(ctx context.Context, workspaceID, entityID int64, input entity.NewVersion) (entity.Version, error) {
	if !json.Valid(input.Body) {
		return entity.Version{}, fault.New(fault.Invalid, "the body of a version must be JSON")
	}
	if err := checkReferences(input.References); err != nil {
		return entity.Version{}, fmt.Errorf("add version: %w", err)
	}
	added, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Version, error) {
		// The row stays locked until the end, so the next caller counts from here.
		owner, err := engine.ExecOne(ctx, s.db, Scan, table.Entity.Update(`
SET last_version = last_version + 1, updated_at = $3
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+Columns), workspaceID, entityID, s.db.Now())
		if err != nil {
			return entity.Version{}, entityNotFound(err, entityID)
		}
		added, err := InsertVersion(ctx, s.db, entityID, owner.LatestVersion, input)
		if err != nil {
			return entity.Version{}, err
		}
		if err := s.insertReferences(ctx, workspaceID, added.ID, input.References); err != nil {
			return entity.Version{}, err
		}
		return added, Note(ctx, s.db, owner, audit.Publish, engine.Detail{"version": added.Number})
	})
	if err != nil {
		return entity.Version{}, fmt.Errorf("add version: %w", err)
	}
	return added, nil
}

// InsertVersion inserts a version of a locked entity.
func InsertVersion(ctx context.Context, db *engine.DB, entityID, number int64, input entity.NewVersion) (entity.Version, error) {
	id, err := engine.NextSharedID(ctx, db)
	if err != nil {
		return entity.Version{}, err
	}
	return engine.ExecOne(ctx, db, scanVersion, table.Version.Insert(`
(id, entity_id, number, body, commit_message, creator, created_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, `+engine.CreatorAccount("$8")+`)
RETURNING `+VersionColumns),
		id, entityID, number, string(input.Body), input.CommitMessage, input.Creator, db.Now(), engine.FoldedCreator(input.Creator))
}

// GetVersion returns a version by its number; the fault is NotFound when the
// entity has none, or is of another workspace.
func (s *Store) GetVersion(ctx context.Context, workspaceID, entityID, number int64) (entity.Version, error) {
	found, err := engine.QueryOne(ctx, s.db, scanVersion, versionsOfWorkspace+`
AND version.entity_id = $2
AND version.number = $3`, workspaceID, entityID, number)
	if err != nil {
		return entity.Version{}, fmt.Errorf("get version: %w", engine.NotFound(err, "Version not found"))
	}
	return found, nil
}

// GetVersionByID returns a version by its id; the fault is NotFound when the
// workspace has none.
func (s *Store) GetVersionByID(ctx context.Context, workspaceID, id int64) (entity.Version, error) {
	found, err := engine.QueryOne(ctx, s.db, scanVersion, versionsOfWorkspace+`
AND version.id = $2`, workspaceID, id)
	if err != nil {
		return entity.Version{}, fmt.Errorf("get version: %w", engine.NotFound(err, "Version not found"))
	}
	return found, nil
}

// GetLatestVersion returns the version with the highest number; the fault is
// NotFound when the entity has no version.
func (s *Store) GetLatestVersion(ctx context.Context, workspaceID, entityID int64) (entity.Version, error) {
	found, err := engine.QueryOne(ctx, s.db, scanVersion, versionsOfWorkspace+`
AND version.entity_id = $2
AND version.number = entity.last_version`, workspaceID, entityID)
	if err != nil {
		return entity.Version{}, fmt.Errorf("get latest version: %w", engine.NotFound(err, "entity %d has no version", entityID))
	}
	return found, nil
}

// GetLabelledVersion returns the version the label points at; the fault is
// NotFound when the entity has no such label.
func (s *Store) GetLabelledVersion(ctx context.Context, workspaceID, entityID int64, label string) (entity.Version, error) {
	found, err := engine.QueryOne(ctx, s.db, scanVersion, versionsOfWorkspace+`
AND version.id = (
SELECT version_id
FROM label
WHERE label.entity_id = $2
AND label.name = $3)`, workspaceID, entityID, label)
	if err != nil {
		return entity.Version{}, fmt.Errorf("get labelled version: %w", engine.NotFound(err, "Release label not found"))
	}
	return found, nil
}

// ListVersions returns a page of an entity's versions, newest first, and how
// many there are in all; none when the entity is unknown.
func (s *Store) ListVersions(ctx context.Context, workspaceID, entityID int64, page entity.Page) ([]entity.Version, int64, error) {
	where := engine.Where{Args: []any{workspaceID, entityID}}
	limit := where.AddPage(page)
	versions, err := engine.QueryAll(ctx, s.db, scanVersion, versionsOfWorkspace+`
AND version.entity_id = $2
ORDER BY version.number DESC`+limit, where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list versions: %w", err)
	}
	total, err := engine.Total(page, len(versions), func() (int64, error) { return s.countVersions(ctx, workspaceID, entityID) })
	if err != nil {
		return nil, 0, fmt.Errorf("count versions: %w", err)
	}
	return versions, total, nil
}

// LatestVersions returns the latest version of each of the entities, by the
// entity's id; those without a version are left out.
func (s *Store) LatestVersions(ctx context.Context, workspaceID int64, entityIDs []int64) (map[int64]entity.Version, error) {
	return s.versionPerEntity(ctx, workspaceID, entityIDs, "version.number = entity.last_version")
}

// LabelledVersions returns the version the label points at in each of the
// entities, by the entity's id; those without the label are left out.
func (s *Store) LabelledVersions(
	ctx context.Context, workspaceID int64, entityIDs []int64, label string,
) (map[int64]entity.Version, error) {
	return s.versionPerEntity(ctx, workspaceID, entityIDs,
		"EXISTS (SELECT 1 FROM label WHERE label.version_id = version.id AND label.name = ?)", label)
}

// versionPerEntity returns the one version of each entity that meets the condition.
func (s *Store) versionPerEntity(
	ctx context.Context, workspaceID int64, entityIDs []int64, condition string, values ...any,
) (map[int64]entity.Version, error) {
	byEntity := map[int64]entity.Version{}
	err := engine.InChunks(entityIDs, func(ids []int64) error {
		where := engine.Where{Args: []any{workspaceID}}
		where.Add(condition, values...)
		engine.AddList(&where, "version.entity_id", ids)
		versions, err := engine.QueryAll(ctx, s.db, scanVersion, versionsOfWorkspace+"AND "+where.SQL(), where.Args...)
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
