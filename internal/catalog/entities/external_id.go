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

func externalIDFields(e *entity.ExternalID) engine.Fields {
	return engine.Fields{
		"external_id.source", &e.Source, "external_id.external_id", &e.ID, "external_id.entity_id", &e.EntityID,
		"external_id.created_at", &e.CreatedAt,
	}
}

var externalIDs = engine.NewView("external_id", externalIDFields)

// AttachExternalID attaches an external id to an entity.
func (s *Store) AttachExternalID(ctx context.Context, workspaceID, entityID int64, ref entity.ExternalRef) error {
	err := checkRef(ref)
	if err == nil {
		err = s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
			return s.attach(ctx, workspaceID, entityID, ref)
		})
	}
	return engine.WrapError(err, "attach external id")
}

func checkRef(ref entity.ExternalRef) error {
	if err := engine.CheckLength("source", ref.Source, engine.MaxSource); err != nil {
		return err
	}
	return engine.CheckLength("external id", ref.ID, engine.MaxName)
}

func (s *Store) attach(ctx context.Context, workspaceID, entityID int64, ref entity.ExternalRef) error {
	// The lock prevents the entity from being deleted and keeping the id.
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
		return engine.LostRace() // it has just been detached
	}
	if err == nil && owner != entityID {
		return fault.Conflictf("External ID already mapped to another entity")
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
	return owner, engine.NotFound(err, "External ID not found")
}

// FindByExternalID finds an entity by its external id.
func (s *Store) FindByExternalID(ctx context.Context, workspaceID int64, ref entity.ExternalRef) (entity.Entity, error) {
	owner, err := s.externalIDOwner(ctx, workspaceID, ref)
	if err != nil {
		return entity.Entity{}, fmt.Errorf("find by external id: %w", err)
	}
	return s.GetEntity(ctx, workspaceID, owner)
}

// ListExternalIDs returns the external ids of an entity.
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

// ExternalIDsByEntity returns the external ids of entities. The + keeps SQLite
// from using the index of the workspace instead of that of the entities.
func (s *Store) ExternalIDsByEntity(
	ctx context.Context, workspaceID int64, entityIDs []int64,
) (map[int64][]entity.ExternalID, error) {
	all, err := engine.In(ctx, s.db, externalIDs, `WHERE +workspace_id = $1
AND entity_id`, engine.Distinct(entityIDs), `
ORDER BY id`, workspaceID)
	if err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	return engine.GroupBy(all, ownerOf), nil
}

func ownerOf(e entity.ExternalID) int64 { return e.EntityID }

// ExternalIDsOf returns the external ids of the entities that a query selects.
// The subquery comes first because SQLite does not know that it is the smaller
// side of the join.
func (s *Store) ExternalIDsOf(ctx context.Context, query entity.Query) (map[int64][]entity.ExternalID, error) {
	if err := CheckQuery(query); err != nil {
		return nil, fmt.Errorf("list external ids: %w", err)
	}
	var where engine.Where
	addQuery(&where, query)
	all, err := engine.QueryAll(ctx, s.db, externalIDs.Reader(), `
SELECT `+externalIDs.Columns+`
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
	return engine.GroupBy(all, ownerOf), nil
}

// DeleteExternalID detaches an external id from an entity.
func (s *Store) DeleteExternalID(ctx context.Context, workspaceID, entityID int64, ref entity.ExternalRef) error {
	err := s.db.Change(ctx, workspaceID, func(ctx context.Context) error {
		deleted, err := engine.Exec(ctx, s.db, table.ExternalID.Delete(`
WHERE workspace_id = $1
AND entity_id = $2
AND source = $3
AND external_id = $4`), workspaceID, entityID, ref.Source, ref.ID)
		if err == nil && deleted == 0 {
			return fault.NotFoundf("External ID not found")
		}
		if err != nil {
			return err
		}
		return s.noteExternalID(ctx, workspaceID, entityID, audit.Detach, ref)
	})
	return engine.WrapError(err, "delete external id")
}
