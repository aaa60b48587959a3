package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Status says which entities a query sees.
type Status uint8

// The statuses; the zero value sees live entities.
const (
	Live Status = iota
	Deleted
	LiveOrDeleted
)

// SortKey is what a list of entities is ordered by; entities that are equal
// in it are ordered by id, in the same direction.
type SortKey uint8

// The sort keys. Names sort byte by byte, so "B" comes before "a".
const (
	ByCreated SortKey = iota
	ByUpdated
	ByName
	ByID
)

var sortColumns = map[SortKey]string{ByCreated: "created_at", ByUpdated: "updated_at", ByName: "name", ByID: "id"}

// FolderScope selects by folder.
type FolderScope struct {
	// ID is the folder, 0 the root.
	ID int64
	// Deep selects everything below, not only what lies directly inside.
	Deep bool
}

// Page is a part of a list. A Limit of 0 means all.
type Page struct {
	Limit  int
	Offset int
}

// EntityQuery selects entities of one workspace; all conditions must hold and
// the zero value of each does not restrict, except for Status.
type EntityQuery struct {
	WorkspaceID int64
	Kinds       []Kind
	IDs         []int64
	// NameContains matches a part of the name in any case, in every script:
	// two letters are equal when strings.EqualFold says so.
	NameContains string
	Folder       *FolderScope
	Creator      *string
	// Label selects entities that have a label of exactly this name.
	Label *string
	// The bounds are inclusive.
	CreatedAfter, CreatedBefore *time.Time
	UpdatedAfter, UpdatedBefore *time.Time
	// ExternalID selects the entity the external id is attached to.
	ExternalID *ExternalRef
	Status     Status

	Sort SortKey
	// Ascending turns the order round, which is newest first by default.
	Ascending bool
	Page      Page
}

// maxIDs bounds how many ids a query can name, so that it stays quick.
const maxIDs = 1000

// ListEntities returns the page of entities that match, and how many match in
// all. A page past the end is empty. The fault is Invalid when the query
// names more than 1,000 ids.
func (c *Catalog) ListEntities(ctx context.Context, query EntityQuery) ([]Entity, int64, error) {
	if err := query.check(); err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	var where conditions
	query.conditions(&where)
	page := query.Page.clause(&where)
	entities, err := queryAll(ctx, c, scanEntity, `
SELECT `+entityColumns+`
FROM entity
WHERE `+where.where()+`
ORDER BY `+query.order()+page, where.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list entities: %w", err)
	}
	total, err := query.Page.total(len(entities), func() (int64, error) { return c.countEntities(ctx, query) })
	if err != nil {
		return nil, 0, fmt.Errorf("count entities: %w", err)
	}
	return entities, total, nil
}

func (c *Catalog) countEntities(ctx context.Context, query EntityQuery) (int64, error) {
	var where conditions
	query.conditions(&where)
	return queryOne(ctx, c, scanInt, `
SELECT COUNT(*)
FROM entity
WHERE `+where.where(), where.args...)
}

func (q EntityQuery) check() error {
	// Folding would replace what is not UTF-8.
	if err := checkText(q.NameContains); err != nil {
		return err
	}
	if len(q.IDs) > maxIDs {
		return fault.New(fault.Invalid, "at most %d ids can be given at once", maxIDs)
	}
	return nil
}

func (q EntityQuery) order() string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	if q.Sort == ByID {
		return "id" + direction
	}
	return sortColumns[q.Sort] + direction + ", id" + direction
}

func (q EntityQuery) conditions(w *conditions) {
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
	q.nameConditions(w)
	q.timeConditions(w)
	if q.Folder != nil {
		q.Folder.condition(w)
	}
	if q.Creator != nil {
		w.add("creator = ?", *q.Creator)
	}
}

func (q EntityQuery) nameConditions(w *conditions) {
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

func (q EntityQuery) timeConditions(w *conditions) {
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

func (f FolderScope) condition(w *conditions) {
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

// clause returns the LIMIT of a page with its arguments added to w.
func (p Page) clause(w *conditions) string {
	if p.Limit <= 0 {
		return ""
	}
	return "\nLIMIT " + w.arg(p.Limit) + " OFFSET " + w.arg(max(p.Offset, 0))
}

// total avoids the count where the page tells it: it is not full, or there is
// no limit.
func (p Page) total(length int, count func() (int64, error)) (int64, error) {
	switch {
	case p.Limit <= 0:
		return int64(length), nil
	case length < p.Limit && (length > 0 || p.Offset <= 0):
		return int64(max(p.Offset, 0) + length), nil
	}
	return count()
}
