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

// SetSkillTraits stores the traits of a skill collection.
func (s *Skills) SetSkillTraits(ctx context.Context, workspaceID, entityID int64, traits skill.Traits) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		return s.setSkillTraits(ctx, workspaceID, entityID, traits)
	})
	return engine.WrapError(err, "set traits of a skill collection")
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

// AccountID returns the id of the account with an email address.
func (s *Skills) AccountID(ctx context.Context, email string) (*int64, error) {
	found, err := engine.QueryAll(ctx, s.db, engine.ScanInt, `
SELECT id
FROM account
WHERE email_folded = $1`, engine.Fold(email))
	if err != nil || len(found) == 0 {
		return nil, engine.WrapError(err, "find the account of an author")
	}
	return &found[0], nil
}

// SkillTraits returns the traits of skill collections.
func (s *Skills) SkillTraits(ctx context.Context, workspaceID int64, entityIDs []int64) (map[int64]skill.Traits, error) {
	found, err := engine.QueryIn(ctx, s.db, scanTraits, `
SELECT skill.entity_id, skill.provider, skill.created_by, skill.updated_by
FROM skill
JOIN entity ON entity.id = skill.entity_id
WHERE entity.workspace_id = $1
AND skill.entity_id`, engine.Distinct(entityIDs), "", workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list traits of skill collections: %w", err)
	}
	byEntity := make(map[int64]skill.Traits, len(found))
	for _, one := range found {
		byEntity[one.entityID] = one.traits
	}
	return byEntity, nil
}
