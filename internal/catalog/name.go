package catalog

import (
	"context"
	"fmt"
)

// named is an entity's id and name.
type named struct {
	id   int64
	name string
}

func scanNamed(r row) (named, error) {
	var n named
	err := r.Scan(&n.id, &n.name)
	return n, err
}

// EntitiesByName returns the ids of the kind's live entities with these
// names, by name; names that nothing has are left out. Where the kind allows
// several, it is the oldest.
func (c *Catalog) EntitiesByName(
	ctx context.Context, workspaceID int64, kind Kind, names []string,
) (map[string]int64, error) {
	ids := map[string]int64{}
	err := inChunks(distinctInOrder(names), func(names []string) error {
		var where conditions
		where.add("workspace_id = ?", workspaceID)
		where.add("kind = ?", kind)
		where.add("deleted_at IS NULL")
		addList(&where, "name", names)
		found, err := queryAll(ctx, c, scanNamed, `
SELECT MIN(id), name
FROM entity
WHERE `+where.where()+`
GROUP BY name`, where.args...)
		for _, one := range found {
			ids[one.name] = one.id
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find entities by name: %w", err)
	}
	return ids, nil
}

// EntityNames returns the names of entities, deleted ones too, by id; unknown
// ids are left out.
func (c *Catalog) EntityNames(ctx context.Context, workspaceID int64, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	err := inChunks(distinct(ids), func(ids []int64) error {
		var where conditions
		where.add("workspace_id = ?", workspaceID)
		addList(&where, "id", ids)
		found, err := queryAll(ctx, c, scanNamed, `
SELECT id, name
FROM entity
WHERE `+where.where(), where.args...)
		for _, one := range found {
			names[one.id] = one.name
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("find the names of entities: %w", err)
	}
	return names, nil
}
