package datasets

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
)

// ListDatasets returns the page of datasets that match, and how many match in
// all. A page past the end is empty. The fault is Invalid when the query names
// more than 1,000 ids.
func (s *Store) ListDatasets(ctx context.Context, query dataset.ListQuery) ([]dataset.Stored, int64, error) {
	filters := query.Filters
	filters.IDs = query.IDs
	if err := entities.CheckQuery(filters); err != nil {
		return nil, 0, fmt.Errorf("list datasets: %w", err)
	}
	where := datasetConditions(query)
	page := where.AddPage(filters.Page)
	from := datasetsAndGroups
	if filters.Sort == entity.ByName {
		from = groupsAndDatasets
		where.Add("dataset.group_id = entity.id")
	}
	found, err := engine.QueryAll(ctx, s.db, scanDataset, `
SELECT `+datasetColumns+from+`
WHERE `+where.SQL()+`
ORDER BY `+datasetOrder(filters)+page, where.Args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list datasets: %w", err)
	}
	total, err := engine.Total(filters.Page, len(found), func() (int64, error) { return s.countDatasets(ctx, query) })
	if err != nil {
		return nil, 0, fmt.Errorf("count datasets: %w", err)
	}
	return found, total, nil
}

// groupsAndDatasets makes SQLite read the groups first, and so in the order of
// their names, which it would not do by itself.
const groupsAndDatasets = `
FROM entity
CROSS JOIN dataset
JOIN version ON version.id = dataset.version_id
`

func (s *Store) countDatasets(ctx context.Context, query dataset.ListQuery) (int64, error) {
	where := datasetConditions(query)
	return engine.QueryOne(ctx, s.db, engine.ScanInt, `
SELECT COUNT(*)`+datasetsAndGroups+`
WHERE `+where.SQL(), where.Args...)
}

var datasetSortColumns = map[entity.SortKey]string{
	entity.ByCreated: "dataset.created_at", entity.ByUpdated: "dataset.updated_at", entity.ByName: "entity.name", entity.ByID: "dataset.version_id",
}

func datasetOrder(q entity.Query) string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	order := datasetSortColumns[q.Sort] + direction
	if q.Sort != entity.ByID {
		order += ", dataset.version_id" + direction
	}
	return order
}

// datasetConditions returns the conditions of a list.
func datasetConditions(query dataset.ListQuery) engine.Where {
	q := query.Filters
	var w engine.Where
	if query.GroupID == nil && q.Sort != entity.ByName {
		w.Add("dataset.workspace_id = ?", q.WorkspaceID)
	} else {
		// The sign keeps SQLite from reading all datasets of the workspace
		// instead of those of a group.
		w.Add("+dataset.workspace_id = ?", q.WorkspaceID)
	}
	// The kind and the workspace lead to the index of names.
	w.Add("entity.workspace_id = ?", q.WorkspaceID)
	w.Add("entity.kind = ?", entity.KindDataset)
	switch q.Status {
	case entity.Live:
		w.Add("entity.deleted_at IS NULL")
	case entity.Deleted:
		w.Add("entity.deleted_at IS NOT NULL")
	}
	if query.GroupID != nil {
		w.Add("dataset.group_id = ?", *query.GroupID)
	}
	if query.IDs != nil {
		engine.AddList(&w, "dataset.version_id", query.IDs)
	}
	if q.Creator != nil {
		w.Add("lower(version.creator) = lower(?)", *q.Creator)
	}
	addDatasetNames(&w, q)
	addDatasetTimes(&w, q)
	addDatasetPrompts(&w, query)
	return w
}

func addDatasetNames(w *engine.Where, q entity.Query) {
	switch {
	case len(engine.Fold(q.NameContains)) > engine.MaxName:
		w.Add("1 = 0") // longer than any name, and than SQLite's limit for patterns
	case q.NameContains != "":
		w.Add(`entity.name_folded LIKE ? ESCAPE '\'`, engine.Containing(q.NameContains))
	}
	if q.ExternalID != nil {
		w.Add(`dataset.group_id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = ?
AND source = ?
AND external_id = ?)`, q.WorkspaceID, q.ExternalID.Source, q.ExternalID.ID)
	}
}

func addDatasetTimes(w *engine.Where, q entity.Query) {
	bounds := []struct {
		condition string
		time      *time.Time
	}{
		{"dataset.created_at >= ?", q.CreatedAfter},
		{"dataset.created_at <= ?", q.CreatedBefore},
		{"dataset.updated_at >= ?", q.UpdatedAfter},
		{"dataset.updated_at <= ?", q.UpdatedBefore},
	}
	for _, bound := range bounds {
		if bound.time != nil {
			w.Add(bound.condition, *bound.time)
		}
	}
}

func addDatasetPrompts(w *engine.Where, query dataset.ListQuery) {
	if query.PromptID != nil {
		w.Add(`dataset.content_id IN (
SELECT content_id
FROM dataset_prompt
WHERE prompt_id = ?)`, *query.PromptID)
	}
	if query.PromptVersionID != nil {
		w.Add(contentOfVersion+`
WHERE used.id = ?)`, *query.PromptVersionID)
	}
	if query.PromptLabelID != nil {
		w.Add(contentOfVersion+`
JOIN label ON label.version_id = used.id
WHERE label.id = ?)`, *query.PromptLabelID)
	}
}

// contentOfVersion begins the condition that rows came from a version of a
// prompt.
const contentOfVersion = `dataset.content_id IN (
SELECT dataset_prompt.content_id
FROM dataset_prompt
JOIN version AS used ON used.entity_id = dataset_prompt.prompt_id
AND used.number = dataset_prompt.prompt_version`
