package entities

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

var sortColumns = map[entity.SortKey]string{entity.ByCreated: "created_at", entity.ByUpdated: "updated_at", entity.ByName: "name", entity.ByID: "id"}

// maxIDs bounds how many ids a query can name, so that it stays quick.
const maxIDs = 1000

// ListEntities returns the page of entities that match, and how many match in
// all. A page past the end is empty. The fault is Invalid when the query
// names more than 1,000 ids.
func (s *Store) ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error) {
	if err := CheckQuery(query); err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	var where engine.Where
	addQuery(&where, query)
	page := where.AddPage(query.Page)
	entities, err := engine.QueryAll(ctx, s.db, Scan, `
SELECT `+Columns+`
FROM entity
WHERE `+where.SQL()+`
ORDER BY `+orderOf(query)+page, where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	total, err := engine.Total(query.Page, len(entities), func() (int64, error) { return s.countEntities(ctx, query) })
	if err != nil {
		return nil, 0, fmt.Errorf("count entities: %w", err)
	}
	return entities, total, nil
}

func (s *Store) countEntities(ctx context.Context, query entity.Query) (int64, error) {
	var where engine.Where
	addQuery(&where, query)
	return engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)
FROM entity
WHERE `+where.SQL(), where.Args...)
}

// CheckQuery rejects a query that cannot be run.
func CheckQuery(q entity.Query) error {
	// Folding would replace what is not UTF-8.
	if err := engine.CheckText(q.NameContains); err != nil {
		return err
	}
	if len(q.IDs) > maxIDs {
		return fault.New(fault.Invalid, "at most %d ids can be given at once", maxIDs)
	}
	return nil
}

func orderOf(q entity.Query) string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	if q.Sort == entity.ByID {
		return "id" + direction
	}
	return sortColumns[q.Sort] + direction + ", id" + direction
}

func addQuery(w *engine.Where, q entity.Query) {
	w.Add("workspace_id = ?", q.WorkspaceID)
	switch q.Status {
	case entity.Live:
		w.Add("deleted_at IS NULL")
	case entity.Deleted:
		w.Add("deleted_at IS NOT NULL")
	}
	if len(q.Kinds) > 0 {
		engine.AddList(w, "kind", q.Kinds)
	}
	if q.IDs != nil {
		engine.AddList(w, "id", q.IDs)
	}
	addNames(w, q)
	addTimes(w, q)
	if q.Folder != nil {
		addFolder(w, *q.Folder)
	}
	if q.Creator != nil {
		w.Add("lower(creator) = lower(?)", *q.Creator)
	}
	if q.Variant != nil {
		w.Add("variant = ?", *q.Variant)
	}
	if len(q.Tags) > 0 {
		addTags(w, q.WorkspaceID, q.Tags)
	}
}

func addNames(w *engine.Where, q entity.Query) {
	switch {
	case len(engine.Fold(q.NameContains)) > engine.MaxName:
		w.Add("1 = 0") // longer than any name, and than SQLite's limit for patterns
	case q.NameContains != "":
		w.Add(`name_folded LIKE ? ESCAPE '\'`, engine.Containing(q.NameContains))
	}
	if q.Label != nil {
		w.Add("EXISTS (SELECT 1 FROM label WHERE label.entity_id = entity.id AND label.name = ?)", *q.Label)
	}
	if q.ExternalID != nil {
		w.Add(`id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = ?
AND source = ?
AND external_id = ?)`, q.WorkspaceID, q.ExternalID.Source, q.ExternalID.ID)
	}
}

func addTimes(w *engine.Where, q entity.Query) {
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
			w.Add(bound.condition, *bound.time)
		}
	}
}

func addFolder(w *engine.Where, f entity.FolderScope) {
	switch {
	case f.ID == 0 && f.Deep: // everything lies below the root
	case f.ID == 0:
		w.Add("folder_id IS NULL")
	case f.Deep:
		w.Add(`folder_id IN (
WITH RECURSIVE tree (folder) AS (
SELECT CAST(? AS BIGINT)
UNION
SELECT child.id
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = ?)
SELECT folder
FROM tree)`, f.ID, entity.KindFolder)
	default:
		w.Add("folder_id = ?", f.ID)
	}
}
