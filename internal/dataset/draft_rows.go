package dataset

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Bounds on the changes of one call.
const (
	// MaxRowChanges is how many changes a client can ask for.
	MaxRowChanges = 1000
	// maxRewritten bounds the bytes of the rows that are set.
	maxRewritten = 64 << 20
	// maxMovedRows and maxMovedBytes bound what follows a row that is deleted,
	// because all of that is written anew.
	maxMovedRows  = 100_000
	maxMovedBytes = 128 << 20
)

// RowChanges are changes of a draft. They are done in the order of the members;
// ids are those of before.
type RowChanges struct {
	// AddColumns are names of columns to be added on the right.
	AddColumns []string
	// Set are new values of cells.
	Set []RowChange
	// Delete are ids of rows.
	Delete []string
	// Add are rows to be added at the end: objects of values by column.
	Add []jsontree.Value
}

// RowChange is a change of cells of one row.
type RowChange struct {
	RowID string
	// Values is an object of values by column. Cells of other columns stay.
	Values jsontree.Value
}

// ChangedDraft is a draft after its rows were changed.
type ChangedDraft struct {
	Dataset
	// Added are the ids of the rows that were added.
	Added []string
}

// ChangeDraftRows changes rows of the draft of a group: all that is asked for,
// or nothing. The fault is NotFound when there is no such group, draft or row,
// Forbidden when the caller may not do it, Conflict when an id was read before
// rows were deleted, Invalid when a column is unknown or there already, and
// BadRequest when it is too much.
func (s *Service) ChangeDraftRows(ctx context.Context, workspace, groupID int64, changes RowChanges) (ChangedDraft, error) {
	if _, err := s.group(ctx, workspace, groupID); err != nil {
		return ChangedDraft{}, err
	}
	if _, err := s.draft(ctx, workspace, groupID); err != nil {
		return ChangedDraft{}, err
	}
	if err := access.Require(ctx, access.DatasetEdit); err != nil {
		return ChangedDraft{}, err
	}
	var changed ChangedDraft
	err := s.entities.InTx(ctx, func(ctx context.Context) (err error) {
		changed, err = s.changeRows(ctx, workspace, groupID, &changes)
		return err
	})
	return changed, err
}

// changeRows does the changes. It runs in a transaction.
func (s *Service) changeRows(ctx context.Context, workspace, groupID int64, changes *RowChanges) (ChangedDraft, error) {
	if err := s.entities.LockEntity(ctx, workspace, groupID); err != nil {
		return ChangedDraft{}, missing(err, "Dataset group not found")
	}
	draft, err := s.draft(ctx, workspace, groupID)
	if err != nil {
		return ChangedDraft{}, err
	}
	edit := &rowEdit{store: s.store, draft: draft, layout: newLayout(draft.Columns), changes: changes}
	first := draft.RowCount - int64(len(changes.Delete))
	for _, step := range []func(ctx context.Context) error{edit.check, edit.set, edit.remove, edit.add} {
		if err := step(ctx); err != nil {
			return ChangedDraft{}, err
		}
	}
	edit.draft.Columns, edit.draft.Filter = edit.layout.columns, nil
	stored, err := s.store.UpdateDraft(ctx, workspace, draft.ID, edit.draft.stateOf())
	if err != nil {
		return ChangedDraft{}, err
	}
	changed := ChangedDraft{Added: make([]string, len(changes.Add))}
	changed.Dataset, err = datasetOf(stored)
	for i := range changed.Added {
		changed.Added[i] = changed.RowID(first + int64(i))
	}
	return changed, err
}
