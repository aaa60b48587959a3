package catalog

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

const externalIDColumns = `external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at`

func scanExternalID(r row) (ExternalID, error) {
	var e ExternalID
	err := r.Scan(&e.Source, &e.ID, &e.EntityID, at{&e.CreatedAt})
	return e, err
}

// AttachExternalID gives a live entity an external id; when it has it
// already, nothing changes. The fault is Conflict when another entity of the
// workspace has it, of whatever kind, NotFound when there is no such entity,
// and Invalid when a part is empty or too long.
func (c *Catalog) AttachExternalID(ctx context.Context, workspaceID, entityID int64, ref ExternalRef) error {
	err := checkRef(ref)
	if err == nil {
		_, err = change(ctx, c, workspaceID, func(ctx context.Context) (none, error) {
			return none{}, c.attach(ctx, workspaceID, entityID, ref)
		})
	}
	if err != nil {
		return fmt.Errorf("attach external id: %w", err)
	}
	return nil
}

func checkRef(ref ExternalRef) error {
	if err := checkLength("source", ref.Source, maxSource); err != nil {
		return err
	}
	return checkLength("external id", ref.ID, maxName)
}

func (c *Catalog) attach(ctx context.Context, workspaceID, entityID int64, ref ExternalRef) error {
	// Locked, so that the entity cannot be deleted meanwhile and keep the id.
	if err := c.lockEntity(ctx, workspaceID, entityID); err != nil {
		return err
	}
	added, err := c.exec(ctx, `
INSERT INTO external_id (workspace_id, source, external_id, entity_id, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, source, external_id) DO NOTHING`,
		workspaceID, ref.Source, ref.ID, entityID, c.now())
	if err != nil {
		return err
	}
	if added == 1 {
		return c.noteExternalID(ctx, workspaceID, entityID, audit.Attach, ref)
	}
	owner, err := c.externalIDOwner(ctx, workspaceID, ref)
	if fault.Is(err, fault.NotFound) {
		return lostRace() // it was detached just now
	}
	if err == nil && owner != entityID {
		return fault.Conflictf("the external id is already attached to another entity")
	}
	return err
}

func (c *Catalog) noteExternalID(
	ctx context.Context, workspaceID, entityID int64, action audit.Action, ref ExternalRef,
) error {
	return c.noteEntities(ctx, workspaceID, []int64{entityID}, action, detail{"source": ref.Source, "external_id": ref.ID})
}

func (c *Catalog) externalIDOwner(ctx context.Context, workspaceID int64, ref ExternalRef) (int64, error) {
	owner, err := queryOne(ctx, c, scanInt, `
SELECT entity_id
FROM external_id
WHERE workspace_id = $1
AND source = $2
AND external_id = $3`, workspaceID, ref.Source, ref.ID)
	return owner, notFound(err, "external id not found")
}

// FindByExternalID returns the live entity, of whatever kind, that has the
// external id; the fault is NotFound when there is none.
func (c *Catalog) FindByExternalID(ctx context.Context, workspaceID int64, ref ExternalRef) (Entity, error) {
	owner, err := c.externalIDOwner(ctx, workspaceID, ref)
	if err != nil {
		return Entity{}, fmt.Errorf("find by external id: %w", err)
	}
	return c.GetEntity(ctx, workspaceID, owner)
}

// ListExternalIDs returns the external ids of an entity in the order in which
// they were attached; none when the entity is unknown or deleted.
func (c *Catalog) ListExternalIDs(ctx context.Context, workspaceID, entityID int64) ([]ExternalID, error) {
	byEntity, err := c.ExternalIDsByEntity(ctx, workspaceID, []int64{entityID})
	if err != nil {
		return nil, err
	}
	if found := byEntity[entityID]; found != nil {
		return found, nil
	}
	return []ExternalID{}, nil
}

// ExternalIDsByEntity returns the external ids of each of the entities, by
// the entity's id, in the order in which they were attached.
func (c *Catalog) ExternalIDsByEntity(
	ctx context.Context, workspaceID int64, entityIDs []int64,
) (map[int64][]ExternalID, error) {
	byEntity := map[int64][]ExternalID{}
	err := inChunks(distinct(entityIDs), func(ids []int64) error {
		var where conditions
		// The sign keeps SQLite from reading all ids of the workspace instead
		// of those of the entities.
		where.add("+workspace_id = ?", workspaceID)
		addList(&where, "entity_id", ids)
		all, err := queryAll(ctx, c, scanExternalID, `
SELECT `+externalIDColumns+`
FROM external_id
WHERE `+where.where()+`
ORDER BY id`, where.args...)
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
func (c *Catalog) DeleteExternalID(ctx context.Context, workspaceID, entityID int64, ref ExternalRef) error {
	_, err := change(ctx, c, workspaceID, func(ctx context.Context) (none, error) {
		deleted, err := c.exec(ctx, `
DELETE FROM external_id
WHERE workspace_id = $1
AND entity_id = $2
AND source = $3
AND external_id = $4`, workspaceID, entityID, ref.Source, ref.ID)
		if err == nil && deleted == 0 {
			return none{}, fault.NotFoundf("the entity does not have this external id")
		}
		if err != nil {
			return none{}, err
		}
		return none{}, c.noteExternalID(ctx, workspaceID, entityID, audit.Detach, ref)
	})
	if err != nil {
		return fmt.Errorf("delete external id: %w", err)
	}
	return nil
}
