package entities

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// maxIDs limits the number of ids in a query.
const maxIDs = 1000

// ListEntities lists entities.
func (s *Store) ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error) {
	if err := CheckQuery(query); err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	var where engine.Where
	addQuery(&where, query)
	found, total, err := Record.Page(ctx, s.db, where, listColumns.Order(query), query.Page)
	if err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	return found, total, nil
}

// CheckQuery rejects a query that cannot be run.
func CheckQuery(q entity.Query) error {
	// Folding would replace invalid UTF-8.
	if err := engine.CheckText(q.NameContains); err != nil {
		return err
	}
	if len(q.IDs) > maxIDs {
		return fault.New(fault.Invalid, "At most %d ids are allowed", maxIDs)
	}
	return nil
}

// ListColumns are the columns that lists of entities, or of things that belong to
// them, are filtered and ordered by.
type ListColumns struct {
	// ID is the id of what is listed, Entity that of its entity.
	ID, Entity             string
	Name, Created, Updated string
}

var listColumns = ListColumns{ID: "id", Entity: "id", Name: "name", Created: "created_at", Updated: "updated_at"}

// Order returns the ORDER BY clause of a list.
func (c ListColumns) Order(q entity.Query) string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	columns := map[entity.SortKey]string{entity.ByCreated: c.Created, entity.ByUpdated: c.Updated, entity.ByName: c.Name}
	if q.Sort == entity.ByID {
		return "ORDER BY " + c.ID + direction
	}
	return "ORDER BY " + columns[q.Sort] + direction + ", " + c.ID + direction
}

// AddFilters adds the conditions on the status, the name, the external id and the
// times.
func (c ListColumns) AddFilters(w *engine.Where, q entity.Query) {
	switch q.Status {
	case entity.Live:
		w.Add("entity.deleted_at IS NULL")
	case entity.Deleted:
		w.Add("entity.deleted_at IS NOT NULL")
	}
	switch {
	case len(engine.Fold(q.NameContains)) > engine.MaxName:
		w.Add("1 = 0") // longer than any name, and than a pattern may be on SQLite
	case q.NameContains != "":
		w.Add(c.Name+`_folded LIKE ? ESCAPE '\'`, engine.Containing(q.NameContains))
	}
	if q.ExternalID != nil {
		w.Add(c.Entity+` IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = ?
AND source = ?
AND external_id = ?)`, q.WorkspaceID, q.ExternalID.Source, q.ExternalID.ID)
	}
	c.addTimes(w, q)
}

func (c ListColumns) addTimes(w *engine.Where, q entity.Query) {
	bounds := []struct {
		condition string
		time      *time.Time
	}{
		{c.Created + " >= ?", q.CreatedAfter},
		{c.Created + " <= ?", q.CreatedBefore},
		{c.Updated + " >= ?", q.UpdatedAfter},
		{c.Updated + " <= ?", q.UpdatedBefore},
	}
	for _, bound := range bounds {
		if bound.time != nil {
			w.Add(bound.condition, *bound.time)
		}
	}
}

func addQuery(w *engine.Where, q entity.Query) {
	w.Add("workspace_id = ?", q.WorkspaceID)
	if len(q.Kinds) > 0 {
		engine.AddList(w, "kind", q.Kinds)
	}
	if q.IDs != nil {
		engine.AddList(w, "id", q.IDs)
	}
	listColumns.AddFilters(w, q)
	if q.Label != nil {
		w.Add("EXISTS (SELECT 1 FROM label WHERE label.entity_id = entity.id AND label.name = ?)", *q.Label)
	}
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

func addFolder(w *engine.Where, f entity.FolderScope) {
	switch {
	case f.ID == 0 && f.Deep: // everything is below the root
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
