package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

var sortColumns = map[SortKey]string{ByCreated: "created_at", ByUpdated: "updated_at", ByName: "name", ByID: "id"}

// maxIDs bounds how many ids a query can name, so that it stays quick.
const maxIDs = 1000

// ListEntities returns the page of entities that match, and how many match in
// all. A page past the end is empty. The fault is Invalid when the query
// names more than 1,000 ids.
func (c *Catalog) ListEntities(ctx context.Context, query EntityQuery) ([]Entity, int64, error) {
	if err := checkQuery(query); err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	var where conditions
	where.addQuery(query)
	page := pageClause(query.Page, &where)
	entities, err := queryAll(ctx, c, scanEntity, `
SELECT `+entityColumns+`
FROM entity
WHERE `+where.where()+`
ORDER BY `+orderOf(query)+page, where.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	total, err := totalOf(query.Page, len(entities), func() (int64, error) { return c.countEntities(ctx, query) })
	if err != nil {
		return nil, 0, fmt.Errorf("count entities: %w", err)
	}
	return entities, total, nil
}

func (c *Catalog) countEntities(ctx context.Context, query EntityQuery) (int64, error) {
	var where conditions
	where.addQuery(query)
	return queryOne(ctx, c, scanInt, `
SELECT COUNT(*)
FROM entity
WHERE `+where.where(), where.args...)
}

func checkQuery(q EntityQuery) error {
	// Folding would replace what is not UTF-8.
	if err := checkText(q.NameContains); err != nil {
		return err
	}
	if len(q.IDs) > maxIDs {
		return fault.New(fault.Invalid, "at most %d ids can be given at once", maxIDs)
	}
	return nil
}

func orderOf(q EntityQuery) string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	if q.Sort == ByID {
		return "id" + direction
	}
	return sortColumns[q.Sort] + direction + ", id" + direction
}

func (w *conditions) addQuery(q EntityQuery) {
	w.add("workspace_id = ?", q.WorkspaceID)
	switch q.Status {
	case Live:
		w.add("deleted_at IS NULL")
	case Deleted:
		w.add("deleted_at IS NOT NULL")
	}
	if len(q.Kinds) > 0 {
		addList(w, "kind", q.Kinds)
	}
	if q.IDs != nil {
		addList(w, "id", q.IDs)
	}
	w.addNames(q)
	w.addTimes(q)
	if q.Folder != nil {
		w.addFolder(*q.Folder)
	}
	if q.Creator != nil {
		w.add("lower(creator) = lower(?)", *q.Creator)
	}
	if q.Variant != nil {
		w.add("variant = ?", *q.Variant)
	}
	if len(q.Tags) > 0 {
		w.addTags(q.WorkspaceID, q.Tags)
	}
}

func (w *conditions) addNames(q EntityQuery) {
	switch {
	case len(fold(q.NameContains)) > maxName:
		w.add("1 = 0") // longer than any name, and than SQLite's limit for patterns
	case q.NameContains != "":
		w.add(`name_folded LIKE ? ESCAPE '\'`, containing(q.NameContains))
	}
	if q.Label != nil {
		w.add("EXISTS (SELECT 1 FROM label WHERE label.entity_id = entity.id AND label.name = ?)", *q.Label)
	}
	if q.ExternalID != nil {
		w.add(`id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = ?
AND source = ?
AND external_id = ?)`, q.WorkspaceID, q.ExternalID.Source, q.ExternalID.ID)
	}
}

func (w *conditions) addTimes(q EntityQuery) {
	bounds := []struct {
		condition string
		time      *time.Time
	}{
		{"created_at >= ?", q.CreatedAfter},
		{"created_at <= ?", q.CreatedBefore},
		{"updated_at >= ?", q.UpdatedAfter},
		{"updated_at <= ?", q.UpdatedBefore},
	}
	for _, bound := range bounds {
		if bound.time != nil {
			w.add(bound.condition, *bound.time)
		}
	}
}

func (w *conditions) addFolder(f FolderScope) {
	switch {
	case f.ID == 0 && f.Deep: // everything lies below the root
	case f.ID == 0:
		w.add("folder_id IS NULL")
	case f.Deep:
		w.add(`folder_id IN (
WITH RECURSIVE tree (folder) AS (
SELECT CAST(? AS BIGINT)
UNION
SELECT child.id
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = ?)
SELECT folder
FROM tree)`, f.ID, KindFolder)
	default:
		w.add("folder_id = ?", f.ID)
	}
}

// pageClause returns the LIMIT of a page with its arguments added to w.
func pageClause(p Page, w *conditions) string {
	if p.Limit <= 0 {
		return ""
	}
	return "\nLIMIT " + w.arg(p.Limit) + " OFFSET " + w.arg(max(p.Offset, 0))
}

// totalOf avoids the count where the page tells it: it is not full, or there is
// no limit.
func totalOf(p Page, length int, count func() (int64, error)) (int64, error) {
	switch {
	case p.Limit <= 0:
		return int64(length), nil
	case length < p.Limit && (length > 0 || p.Offset <= 0):
		return int64(max(p.Offset, 0) + length), nil
	}
	return count()
}
