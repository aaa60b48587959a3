package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// liveEntities is the beginning of queries of live entities; $1 is the
// workspace.
const liveEntities = `WHERE workspace_id = $1
AND deleted_at IS NULL
`

// EntitiesByID returns entities by their ids.
func (s *Store) EntitiesByID(ctx context.Context, workspaceID int64, ids []int64) ([]entity.Entity, error) {
	found, err := engine.In(ctx, s.db, &Record.View, liveEntities+"AND id", engine.Distinct(ids), "", workspaceID)
	return engine.Wrap(found, err, "find entities by id")
}

// EntitiesByUUID returns entities by their UUIDs.
func (s *Store) EntitiesByUUID(
	ctx context.Context, workspaceID int64, kind entity.Kind, uuids []string,
) ([]entity.Entity, error) {
	found, err := engine.In(ctx, s.db, &Record.View, liveEntities+`AND kind = $2
AND uuid`, engine.DistinctInOrder(uuids), "", workspaceID, kind)
	return engine.Wrap(found, err, "find entities by UUID")
}

// named is the id and the name of an entity.
type named struct {
	id   int64
	name string
}

func scanNamed(r engine.Row) (named, error) {
	var n named
	err := r.Scan(&n.id, &n.name)
	return n, err
}

// EntitiesByName returns the ids of entities by name.
func (s *Store) EntitiesByName(
	ctx context.Context, workspaceID int64, kind entity.Kind, names []string,
) (map[string]int64, error) {
	found, err := engine.QueryIn(ctx, s.db, scanNamed, `
SELECT MIN(id), name
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NULL
AND name`, engine.DistinctInOrder(names), `
GROUP BY name`, workspaceID, kind)
	if err != nil {
		return nil, fmt.Errorf("find entities by name: %w", err)
	}
	ids := make(map[string]int64, len(found))
	for _, one := range found {
		ids[one.name] = one.id
	}
	return ids, nil
}

// DeletedByName returns the ids of deleted entities by name.
func (s *Store) DeletedByName(
	ctx context.Context, workspaceID int64, kind entity.Kind, names []string,
) (map[string][]int64, error) {
	found, err := engine.QueryIn(ctx, s.db, scanNamed, `
SELECT id, name
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NOT NULL
AND name`, engine.DistinctInOrder(names), `
ORDER BY id DESC
LIMIT $3`, workspaceID, kind, entity.MaxDeleted)
	if err != nil {
		return nil, fmt.Errorf("find deleted entities by name: %w", err)
	}
	ids := make(map[string][]int64, len(found))
	for _, one := range found {
		ids[one.name] = append(ids[one.name], one.id)
	}
	return ids, nil
}

// EntityNames returns the names of entities by id.
func (s *Store) EntityNames(ctx context.Context, workspaceID int64, ids []int64) (map[int64]string, error) {
	found, err := engine.QueryIn(ctx, s.db, scanNamed, `
SELECT id, name
FROM entity
WHERE workspace_id = $1
AND id`, engine.Distinct(ids), "", workspaceID)
	if err != nil {
		return nil, fmt.Errorf("find the names of entities: %w", err)
	}
	names := make(map[int64]string, len(found))
	for _, one := range found {
		names[one.id] = one.name
	}
	return names, nil
}

// versionOwner is the id of a version and its entity.
type versionOwner struct {
	version int64
	entity  entity.Entity
}

var versionOwners = engine.NewView("version\nJOIN entity ON entity.id = version.entity_id", func(o *versionOwner) engine.Fields {
	return append(Fields(&o.entity), "version.id", &o.version)
})

// OwnersOfVersions returns the entities of versions.
func (s *Store) OwnersOfVersions(
	ctx context.Context, workspaceID int64, versionIDs []int64,
) (map[int64]entity.Entity, error) {
	found, err := engine.In(ctx, s.db, versionOwners, `WHERE entity.workspace_id = $1
AND entity.deleted_at IS NULL
AND version.id`, engine.Distinct(versionIDs), "", workspaceID)
	if err != nil {
		return nil, fmt.Errorf("find the entities of versions: %w", err)
	}
	owners := make(map[int64]entity.Entity, len(found))
	for _, one := range found {
		owners[one.version] = one.entity
	}
	return owners, nil
}
