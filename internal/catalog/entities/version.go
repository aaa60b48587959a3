package entities

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// VersionFields returns the fields of a version.
func VersionFields(v *entity.Version) engine.Fields {
	return engine.Fields{
		"version.id", &v.ID, "version.entity_id", &v.EntityID, "version.number", &v.Number, "version.body", &v.Body,
		"version.commit_message", &v.CommitMessage, "version.creator", &v.Creator, "version.creator_id", &v.CreatorID,
		"version.created_at", &v.CreatedAt,
	}
}

var (
	insertVersion = engine.NewRecord(table.Version, VersionFields).Insert("creator_id").Plus("creator_id", engine.CreatorAccount("$1"))

	// versions include those of deleted entities.
	versions = engine.NewView("version\nJOIN entity ON entity.id = version.entity_id", VersionFields)
)

// ofWorkspace is the beginning of conditions; $1 is the workspace.
const ofWorkspace = `WHERE entity.workspace_id = $1
`

// AddVersion adds the next version to an entity.
func (s *Store) AddVersion(ctx context.Context, workspaceID, entityID int64, input entity.NewVersion) (entity.Version, error) {
	if !json.Valid(input.Body) {
		return entity.Version{}, fault.New(fault.Invalid, "The body of a version must be valid JSON")
	}
	if err := checkReferences(input.References); err != nil {
		return entity.Version{}, fmt.Errorf("add version: %w", err)
	}
	added, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Version, error) {
		// The row stays locked until the transaction ends, so numbers have no gaps.
		owner, err := Record.Update(ctx, s.db, `SET last_version = last_version + 1, updated_at = $3
`+live, workspaceID, entityID, s.db.Now())
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
		return added, NotePublished(ctx, s.db, owner, added.Number)
	})
	return engine.Wrap(added, err, "add version")
}

// InsertVersion inserts a version of a locked entity.
func InsertVersion(ctx context.Context, db *engine.DB, entityID, number int64, input entity.NewVersion) (entity.Version, error) {
	id, err := engine.NextSharedID(ctx, db)
	if err != nil {
		return entity.Version{}, err
	}
	return insertVersion.One(ctx, db, &entity.Version{
		ID: id, EntityID: entityID, Number: number, Body: input.Body, CommitMessage: input.CommitMessage, Creator: input.Creator, CreatedAt: db.Now(),
	}, engine.FoldedCreator(input.Creator))
}

// GetVersion returns a version by its number.
func (s *Store) GetVersion(ctx context.Context, workspaceID, entityID, number int64) (entity.Version, error) {
	found, err := versions.One(ctx, s.db, ofWorkspace+`AND version.entity_id = $2
AND version.number = $3`, workspaceID, entityID, number)
	return engine.Wrap(found, engine.NotFound(err, "Version not found"), "get version")
}

// GetVersionByID returns a version by its id.
func (s *Store) GetVersionByID(ctx context.Context, workspaceID, id int64) (entity.Version, error) {
	found, err := versions.One(ctx, s.db, ofWorkspace+`AND version.id = $2`, workspaceID, id)
	return engine.Wrap(found, engine.NotFound(err, "Version not found"), "get version")
}

// LatestVersions returns the latest versions of entities.
func (s *Store) LatestVersions(
	ctx context.Context, workspaceID int64, entityIDs []int64,
) (map[int64]entity.Version, error) {
	return s.versionPerEntity(ctx, entityIDs, `
AND version.number = entity.last_version`, workspaceID)
}

// LabelledVersions returns the versions of entities that a label points at.
func (s *Store) LabelledVersions(
	ctx context.Context, workspaceID int64, entityIDs []int64, label string,
) (map[int64]entity.Version, error) {
	return s.versionPerEntity(ctx, entityIDs, `
AND EXISTS (SELECT 1 FROM label WHERE label.version_id = version.id AND label.name = $2)`, workspaceID, label)
}

// versionPerEntity returns the version of each entity that meets the condition.
func (s *Store) versionPerEntity(
	ctx context.Context, entityIDs []int64, condition string, args ...any,
) (map[int64]entity.Version, error) {
	found, err := engine.In(ctx, s.db, versions, ofWorkspace+"AND version.entity_id", engine.Distinct(entityIDs), condition, args...)
	if err != nil {
		return nil, fmt.Errorf("list versions: %w", err)
	}
	byEntity := make(map[int64]entity.Version, len(found))
	for _, version := range found {
		byEntity[version.EntityID] = version
	}
	return byEntity, nil
}
