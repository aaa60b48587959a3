package work

import (
	"context"

	"github.com/promptuary/promptuary/internal/api/kit"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/rest"
)

type changeDraftRowsRequest struct {
	GroupID    int64            `json:"dataset_group_id" required:"true" minimum:"1" description:"The id of the dataset group."`
	AddColumns []string         `json:"add_columns" maxItems:"1000" items.minLength:"1" items.maxLength:"1000" description:"Names of columns to add."`
	Set        []rowChange      `json:"set" maxItems:"1000" description:"New values of cells."`
	Delete     []string         `json:"delete" maxItems:"1000" items.maxLength:"100" description:"The ids of the rows to delete."`
	Add        []rest.RawObject `json:"add" maxItems:"1000" description:"Rows to add: objects of values by column."`
}

type rowChange struct {
	RowID  string         `json:"row_id" required:"true" maxLength:"100" description:"The id of the row."`
	Values rest.RawObject `json:"values" required:"true" description:"New values by column. Other cells are kept."`
}

// Validate checks the number of changes.
func (in *changeDraftRowsRequest) Validate(problems *fault.Problems) {
	switch count := len(in.AddColumns) + len(in.Set) + len(in.Delete) + len(in.Add); {
	case count == 0:
		problems.Add(kit.BodyLoc, "value_error", "At least one of add_columns, set, delete and add is required")
	case count > dataset.MaxRowChanges:
		problems.Add(kit.BodyLoc, "value_error", "At most %d changes are allowed, got %d", dataset.MaxRowChanges, count)
	}
}

func (in *changeDraftRowsRequest) changes() (dataset.RowChanges, error) {
	changes := dataset.RowChanges{
		AddColumns: in.AddColumns, Set: make([]dataset.RowChange, len(in.Set)), Delete: in.Delete, Add: make([]jsontree.Value, len(in.Add)),
	}
	var err error
	for i, change := range in.Set {
		changes.Set[i].RowID = change.RowID
		if changes.Set[i].Values, err = jsontree.Parse(change.Values); err != nil {
			return changes, err
		}
	}
	for i, row := range in.Add {
		if changes.Add[i], err = jsontree.Parse(row); err != nil {
			return changes, err
		}
	}
	return changes, nil
}

type changedDraftResponse struct {
	Success  bool     `json:"success" required:"true" description:"Always true."`
	Message  string   `json:"message" required:"true" description:"Result message."`
	ID       int64    `json:"draft_dataset_id" required:"true" description:"The id of the draft."`
	Columns  []string `json:"columns" required:"true" description:"Columns of the draft."`
	Total    int64    `json:"total" required:"true" description:"Number of rows in the draft."`
	AddedIDs []string `json:"added_row_ids" required:"true" description:"The ids of the added rows."`
}

func (h datasets) changeRows(ctx context.Context, in *changeDraftRowsRequest) (*changedDraftResponse, error) {
	changes, err := in.changes()
	if err != nil {
		return nil, err
	}
	draft, err := h.service.ChangeDraftRows(ctx, kit.Workspace(ctx), in.GroupID, changes)
	if err != nil {
		return nil, err
	}
	return &changedDraftResponse{
		Success: true, Message: "Draft dataset changed", ID: draft.ID, Columns: rest.NonNil(draft.Columns), Total: draft.RowCount,
		AddedIDs: draft.Added,
	}, nil
}
