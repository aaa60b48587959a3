package datasets

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/entities"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
)

// ListDatasets lists datasets.
func (s *Store) ListDatasets(ctx context.Context, query dataset.ListQuery) ([]dataset.Stored, int64, error) {
	filters := query.Filters
	filters.IDs = query.IDs
	if err := entities.CheckQuery(filters); err != nil {
		return nil, 0, fmt.Errorf("list datasets: %w", err)
	}
	from, where := datasets, datasetConditions(query)
	if filters.Sort == entity.ByName {
		from = byName
		where.Add("dataset.group_id = entity.id")
	}
	found, total, err := from.Page(ctx, s.db, where, listColumns.Order(filters), filters.Page)
	if err != nil {
		return nil, 0, fmt.Errorf("list datasets: %w", err)
	}
	return found, total, nil
}

var listColumns = entities.ListColumns{
	ID: "dataset.version_id", Entity: "dataset.group_id", Name: "entity.name",
	Created: "dataset.created_at", Updated: "dataset.updated_at",
}

// datasetConditions returns the conditions of a list.
func datasetConditions(query dataset.ListQuery) engine.Where {
	q := query.Filters
	var w engine.Where
	if query.GroupID == nil && q.Sort != entity.ByName {
		w.Add("dataset.workspace_id = ?", q.WorkspaceID)
	} else {
		// The + keeps SQLite from using the index of the workspace instead of
		// that of the group.
		w.Add("+dataset.workspace_id = ?", q.WorkspaceID)
	}
	// The workspace and the kind make the index of names usable.
	w.Add("entity.workspace_id = ?", q.WorkspaceID)
	w.Add("entity.kind = ?", entity.KindDataset)
	if query.GroupID != nil {
		w.Add("dataset.group_id = ?", *query.GroupID)
	}
	if query.IDs != nil {
		engine.AddList(&w, "dataset.version_id", query.IDs)
	}
	if q.Creator != nil {
		w.Add("lower(version.creator) = lower(?)", *q.Creator)
	}
	listColumns.AddFilters(&w, q)
	addDatasetPrompts(&w, query)
	return w
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

// contentOfVersion is the beginning of the condition that rows came from a version of
// a prompt.
const contentOfVersion = `dataset.content_id IN (
SELECT dataset_prompt.content_id
FROM dataset_prompt
JOIN version AS used ON used.entity_id = dataset_prompt.prompt_id
AND used.number = dataset_prompt.prompt_version`
