package catalog

import (
	"context"
	"fmt"
	"time"

	"github.com/promptuary/promptuary/internal/dataset"
)

// ListDatasets returns the page of datasets that match, and how many match in
// all. A page past the end is empty. The fault is Invalid when the query names
// more than 1,000 ids.
func (c *Catalog) ListDatasets(ctx context.Context, query dataset.ListQuery) ([]dataset.Stored, int64, error) {
	filters := query.Filters
	filters.IDs = query.IDs
	if err := checkQuery(filters); err != nil {
		return nil, 0, fmt.Errorf("list datasets: %w", err)
	}
	where := datasetConditions(query)
	page := pageClause(filters.Page, &where)
	from := datasetsAndGroups
	if filters.Sort == ByName {
		from = groupsAndDatasets
		where.add("dataset.group_id = entity.id")
	}
	found, err := queryAll(ctx, c, scanDataset, `
SELECT `+datasetColumns+from+`
WHERE `+where.where()+`
ORDER BY `+datasetOrder(filters)+page, where.args...)
	if err != nil {
		return nil, 0, fmt.Errorf("list datasets: %w", err)
	}
	total, err := totalOf(filters.Page, len(found), func() (int64, error) { return c.countDatasets(ctx, query) })
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

func (c *Catalog) countDatasets(ctx context.Context, query dataset.ListQuery) (int64, error) {
	where := datasetConditions(query)
	return queryOne(ctx, c, scanInt, `
SELECT COUNT(*)`+datasetsAndGroups+`
WHERE `+where.where(), where.args...)
}

var datasetSortColumns = map[SortKey]string{
	ByCreated: "dataset.created_at", ByUpdated: "dataset.updated_at", ByName: "entity.name", ByID: "dataset.version_id",
}

func datasetOrder(q EntityQuery) string {
	direction := " DESC"
	if q.Ascending {
		direction = " ASC"
	}
	order := datasetSortColumns[q.Sort] + direction
	if q.Sort != ByID {
		order += ", dataset.version_id" + direction
	}
	return order
}

// datasetConditions returns the conditions of a list.
func datasetConditions(query dataset.ListQuery) conditions {
	q := query.Filters
	var w conditions
	if query.GroupID == nil && q.Sort != ByName {
		w.add("dataset.workspace_id = ?", q.WorkspaceID)
	} else {
		// The sign keeps SQLite from reading all datasets of the workspace
		// instead of those of a group.
		w.add("+dataset.workspace_id = ?", q.WorkspaceID)
	}
	// The kind and the workspace lead to the index of names.
	w.add("entity.workspace_id = ?", q.WorkspaceID)
	w.add("entity.kind = ?", KindDataset)
	switch q.Status {
	case Live:
		w.add("entity.deleted_at IS NULL")
	case Deleted:
		w.add("entity.deleted_at IS NOT NULL")
	}
	if query.GroupID != nil {
		w.add("dataset.group_id = ?", *query.GroupID)
	}
	if query.IDs != nil {
		addList(&w, "dataset.version_id", query.IDs)
	}
	if q.Creator != nil {
		w.add("lower(version.creator) = lower(?)", *q.Creator)
	}
	w.addDatasetNames(q)
	w.addDatasetTimes(q)
	w.addDatasetPrompts(query)
	return w
}

func (w *conditions) addDatasetNames(q EntityQuery) {
	switch {
	case len(fold(q.NameContains)) > maxName:
		w.add("1 = 0") // longer than any name, and than SQLite's limit for patterns
	case q.NameContains != "":
		w.add(`entity.name_folded LIKE ? ESCAPE '\'`, containing(q.NameContains))
	}
	if q.ExternalID != nil {
		w.add(`dataset.group_id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = ?
AND source = ?
AND external_id = ?)`, q.WorkspaceID, q.ExternalID.Source, q.ExternalID.ID)
	}
}

func (w *conditions) addDatasetTimes(q EntityQuery) {
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
			w.add(bound.condition, *bound.time)
		}
	}
}

func (w *conditions) addDatasetPrompts(query dataset.ListQuery) {
	if query.PromptID != nil {
		w.add(`dataset.content_id IN (
SELECT content_id
FROM dataset_prompt
WHERE prompt_id = ?)`, *query.PromptID)
	}
	if query.PromptVersionID != nil {
		w.add(contentOfVersion+`
WHERE used.id = ?)`, *query.PromptVersionID)
	}
	if query.PromptLabelID != nil {
		w.add(contentOfVersion+`
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
