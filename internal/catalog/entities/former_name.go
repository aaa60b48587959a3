package entities

import (
	"context"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
)

// FormerNames returns the ids of entities by names that they had before.
func (s *Store) FormerNames(
	ctx context.Context, workspaceID int64, kind entity.Kind, names []string,
) (map[string]int64, error) {
	// Another entity may have taken a name while this one was renamed.
	found, err := engine.QueryIn(ctx, s.db, scanNamed, `
SELECT former_name.entity_id, former_name.name
FROM former_name
WHERE former_name.workspace_id = $1
AND former_name.kind = $2
AND NOT EXISTS (
SELECT 1
FROM entity
WHERE entity.workspace_id = $1
AND entity.kind = $2
AND entity.name = former_name.name
AND entity.deleted_at IS NULL)
AND former_name.name`, engine.DistinctInOrder(names), "", workspaceID, kind)
	if err != nil {
		return nil, fmt.Errorf("find entities by former names: %w", err)
	}
	ids := make(map[string]int64, len(found))
	for _, one := range found {
		ids[one.name] = one.id
	}
	return ids, nil
}

// takeName ends that the name of an entity leads to another one, which had it before.
func (s *Store) takeName(ctx context.Context, owner entity.Entity) error {
	if traits, _ := entity.TraitsOf(owner.Kind); !traits.Redirected {
		return nil
	}
	_, err := engine.Exec(ctx, s.db, table.FormerName.Delete(`
WHERE workspace_id = $1
AND kind = $2
AND name = $3`), owner.WorkspaceID, owner.Kind, owner.Name)
	return err
}

// keepName makes the name that an entity had lead to it.
func (s *Store) keepName(ctx context.Context, before, renamed entity.Entity) error {
	if err := s.takeName(ctx, renamed); err != nil {
		return err
	}
	if traits, _ := entity.TraitsOf(renamed.Kind); !traits.Redirected || before.Name == renamed.Name {
		return nil
	}
	_, err := engine.Exec(ctx, s.db, table.FormerName.Insert(`
(workspace_id, kind, name, entity_id)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id, kind, name) DO UPDATE
SET entity_id = excluded.entity_id`), renamed.WorkspaceID, renamed.Kind, before.Name, renamed.ID)
	return err
}

// addRenamed adds the versions of references whose names lead to renamed entities,
// and restores the order of the references.
func (s *Store) addRenamed(
	ctx context.Context, workspaceID int64, kind entity.Kind, references []entity.Reference, found []entity.FoundVersion,
) ([]entity.FoundVersion, error) {
	place := make(map[entity.Reference]int, len(references))
	for i, reference := range references {
		place[reference] = i
	}
	missing := slices.Clone(references)
	for i := range found {
		missing = slices.DeleteFunc(missing, func(one entity.Reference) bool { return one == found[i].Reference })
	}
	if len(missing) == 0 {
		return found, nil
	}
	renamed, err := s.renamedReferences(ctx, workspaceID, kind, missing)
	if err != nil || len(renamed) == 0 {
		return found, err
	}
	wanted := make([]entity.Reference, 0, len(renamed))
	for now := range renamed {
		wanted = append(wanted, now)
	}
	more, err := s.versionsByName(ctx, workspaceID, kind, wanted)
	if err != nil {
		return nil, err
	}
	for i := range more {
		for _, asked := range renamed[more[i].Reference] {
			one := more[i]
			one.Reference = asked
			found = append(found, one)
		}
	}
	slices.SortStableFunc(found, func(a, b entity.FoundVersion) int { return place[a.Reference] - place[b.Reference] })
	return found, nil
}

// renamedReferences returns references with names that entities had before by the
// same references with their names now.
func (s *Store) renamedReferences(
	ctx context.Context, workspaceID int64, kind entity.Kind, references []entity.Reference,
) (map[entity.Reference][]entity.Reference, error) {
	names := make([]string, len(references))
	for i, reference := range references {
		names[i] = reference.Name
	}
	former, err := s.FormerNames(ctx, workspaceID, kind, names)
	if err != nil || len(former) == 0 {
		return nil, err
	}
	ids := make([]int64, 0, len(former))
	for _, id := range former {
		ids = append(ids, id)
	}
	current, err := s.EntityNames(ctx, workspaceID, ids)
	renamed := map[entity.Reference][]entity.Reference{}
	for _, asked := range references {
		if id, ok := former[asked.Name]; ok {
			now := asked
			now.Name = current[id]
			renamed[now] = append(renamed[now], asked)
		}
	}
	return renamed, err
}
