package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/skill"
)

type storedTraits struct {
	entityID int64
	traits   skill.Traits
}

func scanTraits(r engine.Row) (storedTraits, error) {
	var s storedTraits
	err := r.Scan(&s.entityID, &s.traits.Provider, &s.traits.CreatedBy, &s.traits.UpdatedBy)
	return s, err
}

// SetSkillTraits remembers what a live skill collection has beside its entity.
// A provider that changes gets an entry in the audit log; what else there is
// changes with the entity, in whose transaction this belongs. The fault is
// NotFound when there is no such collection.
func (s *Skills) SetSkillTraits(ctx context.Context, workspaceID, entityID int64, traits skill.Traits) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		return s.setSkillTraits(ctx, workspaceID, entityID, traits)
	})
	if err != nil {
		return fmt.Errorf("set traits of a skill collection: %w", err)
	}
	return nil
}

func (s *Skills) setSkillTraits(ctx context.Context, workspaceID, entityID int64, traits skill.Traits) error {
	if err := Lock(ctx, s.db, workspaceID, entityID); err != nil {
		return err
	}
	before, err := s.SkillTraits(ctx, workspaceID, []int64{entityID})
	if err != nil {
		return err
	}
	_, err = engine.Exec(ctx, s.db, table.Skill.Insert(`
(entity_id, provider, created_by, updated_by)
VALUES ($1, $2, $3, $4)
ON CONFLICT (entity_id) DO UPDATE SET provider = excluded.provider, created_by = excluded.created_by,
updated_by = excluded.updated_by`), entityID, traits.Provider, traits.CreatedBy, traits.UpdatedBy)
	if old, known := before[entityID]; err != nil || !known || old.Provider == traits.Provider {
		return err
	}
	return noteAll(ctx, s.db, workspaceID, []int64{entityID}, audit.Change, engine.Detail{"provider": traits.Provider})
}

// SkillTraits returns the traits of skill collections by the ids of their
// entities; those without any are left out.
func (s *Skills) SkillTraits(ctx context.Context, workspaceID int64, entityIDs []int64) (map[int64]skill.Traits, error) {
	byEntity := map[int64]skill.Traits{}
	err := engine.InChunks(engine.Distinct(entityIDs), func(ids []int64) error {
		var where engine.Where
		where.Add("entity.workspace_id = ?", workspaceID)
		engine.AddList(&where, "skill.entity_id", ids)
		found, err := engine.QueryAll(ctx, s.db, scanTraits, `
SELECT skill.entity_id, skill.provider, skill.created_by, skill.updated_by
FROM skill
JOIN entity ON entity.id = skill.entity_id
WHERE `+where.SQL(), where.Args...)
		for _, one := range found {
			byEntity[one.entityID] = one.traits
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list traits of skill collections: %w", err)
	}
	return byEntity, nil
}
