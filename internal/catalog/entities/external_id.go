package entities

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const externalIDColumns = `external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at`

func scanExternalID(r engine.Row) (entity.ExternalID, error) {
	var e entity.ExternalID
	err := r.Scan(&e.Source, &e.ID, &e.EntityID, engine.Time(&e.CreatedAt))
	return e, err
}

// AttachExternalID gives a live entity an external id; when it has it
// already, nothing changes. The fault is Conflict when another entity of the
// workspace has it, of whatever kind, NotFound when there is no such entity,
// and Invalid when a part is empty or too long.
func (s *Store) AttachExternalID(ctx context.Context, workspaceID, entityID int64, ref entity.ExternalRef) error {
	err := checkRef(ref)
	if err == nil {
		err = s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
			return s.attach(ctx, workspaceID, entityID, ref)
		})
	}
	if err != nil {
		return fmt.Errorf("attach external id: %w", err)
	}
	return nil
}

func checkRef(ref entity.ExternalRef) error {
	if err := engine.CheckLength("source", ref.Source, engine.MaxSource); err != nil {
		return err
	}
	return engine.CheckLength("external id", ref.ID, engine.MaxName)
}

func (s *Store) attach(ctx context.Context, workspaceID, entityID int64, ref entity.ExternalRef) error {
	// Locked, so that the entity cannot be deleted meanwhile and keep the id.
	if err := Lock(ctx, s.db, workspaceID, entityID); err != nil {
		return err
	}
	added, err := engine.Exec(ctx, s.db, table.ExternalID.Insert(`
(workspace_id, source, external_id, entity_id, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, source, external_id) DO NOTHING`),
		workspaceID, ref.Source, ref.ID, entityID, s.db.Now())
	if err != nil {
		return err
	}
	if added == 1 {
		return s.noteExternalID(ctx, workspaceID, entityID, audit.Attach, ref)
	}
	owner, err := s.externalIDOwner(ctx, workspaceID, ref)
	if fault.Is(err, fault.NotFound) {
		return engine.LostRace() // it was detached just now
	}
	if err == nil && owner != entityID {
		return fault.Conflictf("the external id is already attached to another entity")
	}
	return err
}

func (s *Store) noteExternalID(
	ctx context.Context, workspaceID, entityID int64, action audit.Action, ref entity.ExternalRef,
) error {
	return noteAll(ctx, s.db, workspaceID, []int64{entityID}, action, engine.Detail{"source": ref.Source, "external_id": ref.ID})
}

func (s *Store) externalIDOwner(ctx context.Context, workspaceID int64, ref entity.ExternalRef) (int64, error) {
	owner, err := engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT entity_id
FROM external_id
WHERE workspace_id = $1
AND source = $2
AND external_id = $3`, workspaceID, ref.Source, ref.ID)
	return owner, engine.NotFound(err, "external id not found")
}

// FindByExternalID returns the live entity, of whatever kind, that has the
// external id; the fault is NotFound when there is none.
func (s *Store) FindByExternalID(ctx context.Context, workspaceID int64, ref entity.ExternalRef) (entity.Entity, error) {
	owner, err := s.externalIDOwner(ctx, workspaceID, ref)
	if err != nil {
		return entity.Entity{}, fmt.Errorf("find by external id: %w", err)
	}
	return s.GetEntity(ctx, workspaceID, owner)
}

// ListExternalIDs returns the external ids of an entity in the order in which
// they were attached; none when the entity is unknown or deleted.
func (s *Store) ListExternalIDs(ctx context.Context, workspaceID, entityID int64) ([]entity.ExternalID, error) {
	byEntity, err := s.ExternalIDsByEntity(ctx, workspaceID, []int64{entityID})
	if err != nil {
		return nil, err
	}
	if found := byEntity[entityID]; found != nil {
		return found, nil
	}
	return []entity.ExternalID{}, nil
}

// ExternalIDsByEntity returns the external ids of each of the entities, by
// the entity's id, in the order in which they were attached.
func (s *Store) ExternalIDsByEntity(
	ctx context.Context, workspaceID int64, entityIDs []int64,
) (map[int64][]entity.ExternalID, error) {
	byEntity := map[int64][]entity.ExternalID{}
	err := engine.InChunks(engine.Distinct(entityIDs), func(ids []int64) error {
		var where engine.Where
		// The sign keeps SQLite from reading all ids of the workspace instead
		// of those of the entities.
		where.Add("+workspace_id = ?", workspaceID)
		engine.AddList(&where, "entity_id", ids)
		all, err := engine.QueryAll(ctx, s.db, scanExternalID, `
SELECT `+externalIDColumns+`
FROM external_id
WHERE `+where.SQL()+`
ORDER BY id`, where.Args...)
		for _, one := range all {
			byEntity[one.EntityID] = append(byEntity[one.EntityID], one)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	return byEntity, nil
}

// DeleteExternalID takes an external id from an entity, so that it can be
// attached anywhere. The fault is NotFound when the entity does not have it,
// also when another one has.
func (s *Store) DeleteExternalID(ctx context.Context, workspaceID, entityID int64, ref entity.ExternalRef) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		deleted, err := engine.Exec(ctx, s.db, table.ExternalID.Delete(`
WHERE workspace_id = $1
AND entity_id = $2
AND source = $3
AND external_id = $4`), workspaceID, entityID, ref.Source, ref.ID)
		if err == nil && deleted == 0 {
			return fault.NotFoundf("the entity does not have this external id")
		}
		if err != nil {
			return err
		}
		return s.noteExternalID(ctx, workspaceID, entityID, audit.Detach, ref)
	})
	if err != nil {
		return fmt.Errorf("delete external id: %w", err)
	}
	return nil
}
