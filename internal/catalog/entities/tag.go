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

// maxTags limits the number of tags of an entity.
const maxTags = 1000

// TagsText returns the tags as they are stored, without duplicates.
func TagsText(tags []string) string { return engine.ListText(engine.DistinctInOrder(tags)) }

// CheckTags rejects tags that are too many or too long.
func CheckTags(tags []string) error {
	if len(tags) > maxTags {
		return fault.New(fault.Invalid, "At most %d tags are allowed", maxTags)
	}
	for _, tag := range tags {
		if len(tag) > engine.MaxName {
			return fault.New(fault.Invalid, "A tag must not be longer than %d bytes", engine.MaxName)
		}
		// JSON would escape what cannot be stored.
		if err := engine.CheckText(tag); err != nil {
			return err
		}
	}
	return nil
}

// SetTags replaces the tags of an entity.
func (s *Store) SetTags(ctx context.Context, workspaceID, id int64, tags []string) (entity.Entity, error) {
	if err := CheckTags(tags); err != nil {
		return entity.Entity{}, fmt.Errorf("set tags: %w", err)
	}
	tagged, err := engine.Change(ctx, s.db, workspaceID, func(ctx context.Context) (entity.Entity, error) {
		tagged, err := Record.Update(ctx, s.db, `SET tags = $3, updated_at = $4
`+live, workspaceID, id, TagsText(tags), s.db.Now())
		if err != nil {
			return entity.Entity{}, entityNotFound(err, id)
		}
		_, err = engine.Exec(ctx, s.db, table.EntityTag.Delete(`WHERE entity_id = $1`), id)
		if err != nil {
			return entity.Entity{}, err
		}
		if err := s.insertTags(ctx, tagged); err != nil {
			return entity.Entity{}, err
		}
		return tagged, Note(ctx, s.db, tagged, audit.Tag, nil)
	})
	return engine.Wrap(tagged, err, "set tags")
}

// insertTags adds the tags of an entity to the index of tags.
func (s *Store) insertTags(ctx context.Context, entity entity.Entity) error {
	rows := make([][]any, len(entity.Tags))
	for i, tag := range entity.Tags {
		rows[i] = []any{entity.WorkspaceID, tag, entity.ID}
	}
	return engine.InsertRows(ctx, s.db, table.EntityTag, `(workspace_id, tag, entity_id)`, rows)
}

// addTags adds the condition that an entity has all of the tags. The first tag
// narrows the search by the index. The others are counted for each remaining entity,
// which takes a few lookups however the engine estimates them.
func addTags(w *engine.Where, workspaceID int64, tags []string) {
	tags = engine.DistinctInOrder(tags)
	if len(tags) > maxTags {
		w.Add("1 = 0")
		return
	}
	w.Add(`entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = ?
AND tag = ?)`, workspaceID, tags[0])
	if len(tags) == 1 {
		return
	}
	others := engine.Where{Args: w.Args}
	others.Add("entity_tag.entity_id = entity.id AND entity_tag.workspace_id = ?", workspaceID)
	engine.AddList(&others, "entity_tag.tag", tags[1:])
	w.Args = others.Args
	w.Add("(SELECT COUNT(*) FROM entity_tag WHERE "+others.SQL()+") = ?", len(tags)-1)
}
