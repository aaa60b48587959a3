package catalog

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/fault"
)

// maxTags bounds how many tags an entity can have, so that one write stays
// small.
const maxTags = 1000

// tagsOf scans the JSON of a list of tags.
type tagsOf struct{ tags *[]string }

func (t tagsOf) Scan(value any) error {
	text, ok := value.(string)
	if !ok {
		return fmt.Errorf("scan tags: got %T", value)
	}
	*t.tags = []string{}
	if text == noTags {
		return nil
	}
	return json.Unmarshal([]byte(text), t.tags)
}

const noTags = "[]"

// tagsText returns the tags as they are stored, each once.
func tagsText(tags []string) string {
	if len(tags) == 0 {
		return noTags
	}
	text, _ := json.Marshal(distinctInOrder(tags)) // strings can always be written
	return string(text)
}

// distinctInOrder returns the values without those that came before.
func distinctInOrder[T comparable](values []T) []T {
	seen := make(map[T]bool, len(values))
	return slices.DeleteFunc(slices.Clone(values), func(value T) bool {
		known := seen[value]
		seen[value] = true
		return known
	})
}

func checkTags(tags []string) error {
	if len(tags) > maxTags {
		return fault.New(fault.Invalid, "there must not be more than %d tags", maxTags)
	}
	for _, tag := range tags {
		if len(tag) > maxName {
			return fault.New(fault.Invalid, "a tag must not be longer than %d bytes", maxName)
		}
		// JSON would hide what cannot be stored.
		if err := checkText(tag); err != nil {
			return err
		}
	}
	return nil
}

// SetTags replaces the tags of a live entity and returns it. They keep their
// order; of equal ones the first stays. The fault is NotFound when there is
// no such entity, Invalid when there are more than 1,000 tags or one is too
// long.
func (c *Catalog) SetTags(ctx context.Context, workspaceID, id int64, tags []string) (Entity, error) {
	if err := checkTags(tags); err != nil {
		return Entity{}, fmt.Errorf("set tags: %w", err)
	}
	tagged, err := change(ctx, c, workspaceID, func(ctx context.Context) (Entity, error) {
		tagged, err := queryOne(ctx, c, scanEntity, `
UPDATE entity
SET tags = $3, updated_at = $4
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL
RETURNING `+entityColumns, workspaceID, id, tagsText(tags), c.now())
		if err != nil {
			return Entity{}, entityNotFound(err, id)
		}
		_, err = c.exec(ctx, `
DELETE FROM entity_tag
WHERE entity_id = $1`, id)
		if err != nil {
			return Entity{}, err
		}
		if err := c.insertTags(ctx, tagged); err != nil {
			return Entity{}, err
		}
		return tagged, c.noteEntity(ctx, tagged, audit.Tag, nil)
	})
	if err != nil {
		return Entity{}, fmt.Errorf("set tags: %w", err)
	}
	return tagged, nil
}

// insertTags makes an entity that has no tag in the search findable by its tags.
func (c *Catalog) insertTags(ctx context.Context, entity Entity) error {
	rows := make([][]any, len(entity.Tags))
	for i, tag := range entity.Tags {
		rows[i] = []any{entity.WorkspaceID, tag, entity.ID}
	}
	return c.insertRows(ctx, "INSERT INTO entity_tag (workspace_id, tag, entity_id)", rows)
}

// addTags appends the condition that an entity has all of the tags. The first
// one narrows the search by the index; a count per entity that is left, which
// stays a few lookups however the engine estimates it, checks the others.
func (w *conditions) addTags(workspaceID int64, tags []string) {
	tags = distinctInOrder(tags)
	if len(tags) > maxTags {
		w.add("1 = 0")
		return
	}
	w.add(`entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = ?
AND tag = ?)`, workspaceID, tags[0])
	if len(tags) == 1 {
		return
	}
	others := conditions{args: w.args}
	others.add("entity_tag.entity_id = entity.id AND entity_tag.workspace_id = ?", workspaceID)
	addList(&others, "entity_tag.tag", tags[1:])
	w.args = others.args
	w.add("(SELECT COUNT(*) FROM entity_tag WHERE "+others.where()+") = ?", len(tags)-1)
}
