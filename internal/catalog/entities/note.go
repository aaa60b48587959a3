package entities

import (
	"context"
	"maps"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/webhooks"
	"github.com/promptuary/promptuary/internal/entity"
)

// about adds the UUID of a skill collection, which is all that clients know it
// by.
func about(e entity.Entity, detail engine.Detail) engine.Detail {
	if e.Kind != entity.KindSkill {
		return detail
	}
	more := engine.Detail{"uuid": e.UUID}
	maps.Copy(more, detail)
	return more
}

// Note adds an audit entry about an entity in the transaction of the change.
func Note(ctx context.Context, db *engine.DB, e entity.Entity, action audit.Action, detail engine.Detail) error {
	return engine.Note(ctx, db, &e.WorkspaceID, action, audit.SubjectOf(e), about(e, detail))
}

// NotePublished adds an audit entry about a new version of an entity, and tells
// webhooks about it.
func NotePublished(ctx context.Context, db *engine.DB, e entity.Entity, number int64) error {
	if err := Note(ctx, db, e, audit.Publish, engine.Detail{"version": number}); err != nil {
		return err
	}
	return webhooks.VersionPublished(ctx, db, e.WorkspaceID, e.ID, number)
}

// noteAll adds an audit entry about each of the entities, which must still
// exist.
func noteAll(
	ctx context.Context, db *engine.DB, workspaceID int64, ids []int64, action audit.Action, detail engine.Detail,
) error {
	return noteEach(ctx, db, workspaceID, ids, action, func(entity.Entity) engine.Detail { return detail })
}

// noteEach is noteAll with a detail for each entity.
func noteEach(
	ctx context.Context, db *engine.DB, workspaceID int64, ids []int64, action audit.Action,
	detail func(e entity.Entity) engine.Detail,
) error {
	return engine.InChunks(engine.Distinct(ids), func(ids []int64) error {
		groups, err := groupByDetail(ctx, db, ids, detail)
		if err != nil {
			return err
		}
		for _, group := range groups {
			if err := engine.NoteEntities(ctx, db, workspaceID, action, group.ids, group.detail); err != nil {
				return err
			}
		}
		return nil
	})
}

// sameDetail are entities with the same detail.
type sameDetail struct {
	detail string
	ids    []int64
}

// groupByDetail groups entities by their details; mostly there is one group.
func groupByDetail(
	ctx context.Context, db *engine.DB, ids []int64, detail func(e entity.Entity) engine.Detail,
) ([]sameDetail, error) {
	var where engine.Where
	engine.AddList(&where, "id", ids)
	entities, err := Record.All(ctx, db, "WHERE "+where.SQL()+"\nORDER BY id", where.Args...)
	if err != nil {
		return nil, err
	}
	var groups []sameDetail
	places := map[string]int{}
	for _, e := range entities {
		text, err := about(e, detail(e)).JSON()
		if err != nil {
			return nil, err
		}
		i, known := places[text]
		if !known {
			i = len(groups)
			places[text] = i
			groups = append(groups, sameDetail{detail: text})
		}
		groups[i].ids = append(groups[i].ids, e.ID)
	}
	return groups, nil
}
