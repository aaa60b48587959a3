package catalog

import (
	"context"
	"fmt"
	"slices"
)

// EntitiesByID returns the live entities with these ids, of whatever kind and
// in no order; ids that the workspace does not have are left out.
func (c *Catalog) EntitiesByID(ctx context.Context, workspaceID int64, ids []int64) ([]Entity, error) {
	return entitiesBy(ctx, c, workspaceID, "id", distinct(ids))
}

// EntitiesByVariant returns the live entities of the kind that have one of the
// variants, in no order.
func (c *Catalog) EntitiesByVariant(
	ctx context.Context, workspaceID int64, kind Kind, variants []string,
) ([]Entity, error) {
	return entitiesBy(ctx, c, workspaceID, "variant", distinctInOrder(variants), kind)
}

// entitiesBy returns the live entities, of the kinds where there are any, that
// have one of the values in a column.
func entitiesBy[T any](
	ctx context.Context, c *Catalog, workspaceID int64, column string, values []T, kinds ...Kind,
) ([]Entity, error) {
	all := []Entity{}
	err := inChunks(values, func(values []T) error {
		var where conditions
		where.add("workspace_id = ?", workspaceID)
		where.add("deleted_at IS NULL")
		if len(kinds) > 0 {
			addList(&where, "kind", kinds)
		}
		addList(&where, column, values)
		found, err := queryAll(ctx, c, scanEntity, `
SELECT `+entityColumns+`
FROM entity
WHERE `+where.where(), where.args...)
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
	entity  Entity
}

func scanVersionOwner(r row) (versionOwner, error) {
	var o versionOwner
	err := r.Scan(append(intoEntity(&o.entity), &o.version)...)
	return o, err
}

// OwnersOfVersions returns the live entities that versions belong to, by the
// version's id; ids that are no version of the workspace are left out.
func (c *Catalog) OwnersOfVersions(ctx context.Context, workspaceID int64, versionIDs []int64) (map[int64]Entity, error) {
	owners := map[int64]Entity{}
	err := inChunks(distinct(versionIDs), func(ids []int64) error {
		var where conditions
		where.add("entity.workspace_id = ?", workspaceID)
		where.add("entity.deleted_at IS NULL")
		addList(&where, "version.id", ids)
		found, err := queryAll(ctx, c, scanVersionOwner, `
SELECT `+entityColumns+`, version.id
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE `+where.where(), where.args...)
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
func (c *Catalog) VisitLatestVersions(ctx context.Context, query EntityQuery, visit func(FoundVersion) error) error {
	if err := checkQuery(query); err != nil {
		return fmt.Errorf("visit latest versions: %w", err)
	}
	var where conditions
	where.addQuery(query)
	scan := func(r row) (none, error) {
		var f FoundVersion
		if err := r.Scan(slices.Concat(intoEntity(&f.Entity), intoVersion(&f.Version))...); err != nil {
			return none{}, err
		}
		return none{}, visit(f)
	}
	_, err := queryAll(ctx, c, scan, `
SELECT `+foundColumns+`
FROM entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version
WHERE entity.id IN (
SELECT id
FROM entity
WHERE `+where.where()+`)`, where.args...)
	if err != nil {
		return fmt.Errorf("visit latest versions: %w", err)
	}
	return nil
}

// ExternalIDsOf returns the external ids of all entities that the query
// selects, by the entity's id, in the order in which they were attached; the
// query's order and page do not count. It is one statement, whose cost depends
// on what is selected and not on what else there is: the entities are named
// first because SQLite does not know which of the two is the smaller part.
func (c *Catalog) ExternalIDsOf(ctx context.Context, query EntityQuery) (map[int64][]ExternalID, error) {
	if err := checkQuery(query); err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	var where conditions
	where.addQuery(query)
	all, err := queryAll(ctx, c, scanExternalID, `
SELECT `+externalIDColumns+`
FROM (
SELECT id AS owner
FROM entity
WHERE `+where.where()+`) AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id`, where.args...)
	if err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	byEntity := map[int64][]ExternalID{}
	for _, one := range all {
		byEntity[one.EntityID] = append(byEntity[one.EntityID], one)
	}
	return byEntity, nil
}
