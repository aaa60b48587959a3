package entities

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// EntitiesByID returns the live entities with these ids, of whatever kind and
// in no order; ids that the workspace does not have are left out.
func (s *Store) EntitiesByID(ctx context.Context, workspaceID int64, ids []int64) ([]entity.Entity, error) {
	return entitiesBy(ctx, s.db, workspaceID, "id", engine.Distinct(ids))
}

// EntitiesByVariant returns the live entities of the kind that have one of the
// variants, in no order.
func (s *Store) EntitiesByVariant(
	ctx context.Context, workspaceID int64, kind entity.Kind, variants []string,
) ([]entity.Entity, error) {
	return entitiesBy(ctx, s.db, workspaceID, "variant", engine.DistinctInOrder(variants), kind)
}

// entitiesBy returns the live entities, of the kinds where there are any, that
// have one of the values in a column.
func entitiesBy[T any](
	ctx context.Context, db *engine.DB, workspaceID int64, column string, values []T, kinds ...entity.Kind,
) ([]entity.Entity, error) {
	all := []entity.Entity{}
	err := engine.InChunks(values, func(values []T) error {
		var where engine.Where
		where.Add("workspace_id = ?", workspaceID)
		where.Add("deleted_at IS NULL")
		if len(kinds) > 0 {
			engine.AddList(&where, "kind", kinds)
		}
		engine.AddList(&where, column, values)
		found, err := engine.QueryAll(ctx, db, Scan, `
SELECT `+Columns+`
FROM entity
WHERE `+where.SQL(), where.Args...)
		all = append(all, found...)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find entities by %s: %w", column, err)
	}
	return all, nil
}

// versionOwner is a version's id and its entity.
type versionOwner struct {
	version int64
	entity  entity.Entity
}

func scanVersionOwner(r engine.Row) (versionOwner, error) {
	var o versionOwner
	err := r.Scan(append(Into(&o.entity), &o.version)...)
	return o, err
}

// OwnersOfVersions returns the live entities that versions belong to, by the
// version's id; ids that are no version of the workspace are left out.
func (s *Store) OwnersOfVersions(ctx context.Context, workspaceID int64, versionIDs []int64) (map[int64]entity.Entity, error) {
	owners := map[int64]entity.Entity{}
	err := engine.InChunks(engine.Distinct(versionIDs), func(ids []int64) error {
		var where engine.Where
		where.Add("entity.workspace_id = ?", workspaceID)
		where.Add("entity.deleted_at IS NULL")
		engine.AddList(&where, "version.id", ids)
		found, err := engine.QueryAll(ctx, s.db, scanVersionOwner, `
SELECT `+Columns+`, version.id
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE `+where.SQL(), where.Args...)
		for _, one := range found {
			owners[one.version] = one.entity
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find the entities of versions: %w", err)
	}
	return owners, nil
}

// VisitLatestVersions calls visit with the latest version of each entity that
// the query selects, in no order and one after the other, so that any number
// of them takes the memory of one; those without a version are left out, and
// the query's order and page do not count. An error of visit ends it and is
// passed on. visit must not use the catalog.
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

// ExternalIDsOf returns the external ids of all entities that the query
// selects, by the entity's id, in the order in which they were attached; the
// query's order and page do not count. It is one statement, whose cost depends
// on what is selected and not on what else there is: the entities are named
// first because SQLite does not know which of the two is the smaller part.
func (s *Store) ExternalIDsOf(ctx context.Context, query entity.Query) (map[int64][]entity.ExternalID, error) {
	if err := CheckQuery(query); err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	var where engine.Where
	addQuery(&where, query)
	all, err := engine.QueryAll(ctx, s.db, scanExternalID, `
SELECT `+externalIDColumns+`
FROM (
SELECT id AS owner
FROM entity
WHERE `+where.SQL()+`) AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id`, where.Args...)
	if err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	byEntity := map[int64][]entity.ExternalID{}
	for _, one := range all {
		byEntity[one.EntityID] = append(byEntity[one.EntityID], one)
	}
	return byEntity, nil
}
