package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
)

// named is an entity's id and name.
type named struct {
	id   int64
	name string
}

func scanNamed(r engine.Row) (named, error) {
	var n named
	err := r.Scan(&n.id, &n.name)
	return n, err
}

// EntitiesByName returns the ids of the kind's live entities with these
// names, by name; names that nothing has are left out. Where the kind allows
// several, it is the oldest.
func (s *Store) EntitiesByName(
	ctx context.Context, workspaceID int64, kind entity.Kind, names []string,
) (map[string]int64, error) {
	ids := map[string]int64{}
	err := engine.InChunks(engine.DistinctInOrder(names), func(names []string) error {
		var where engine.Where
		where.Add("workspace_id = ?", workspaceID)
		where.Add("kind = ?", kind)
		where.Add("deleted_at IS NULL")
		engine.AddList(&where, "name", names)
		found, err := engine.QueryAll(ctx, s.db, scanNamed, `
SELECT MIN(id), name
FROM entity
WHERE `+where.SQL()+`
GROUP BY name`, where.Args...)
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
func (s *Store) EntityNames(ctx context.Context, workspaceID int64, ids []int64) (map[int64]string, error) {
	names := map[int64]string{}
	err := engine.InChunks(engine.Distinct(ids), func(ids []int64) error {
		var where engine.Where
		where.Add("workspace_id = ?", workspaceID)
		engine.AddList(&where, "id", ids)
		found, err := engine.QueryAll(ctx, s.db, scanNamed, `
SELECT id, name
FROM entity
WHERE `+where.SQL(), where.Args...)
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
