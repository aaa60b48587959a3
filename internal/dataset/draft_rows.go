package dataset

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// Limits of one call.
const (
	// MaxRowChanges is the maximum number of changes.
	MaxRowChanges = 1000
	// maxRewritten limits the size of the changed rows in bytes.
	maxRewritten = 64 << 20
	// maxMovedRows and maxMovedBytes limit the rows after a deleted row, because
	// all of them are rewritten.
	maxMovedRows  = 100_000
	maxMovedBytes = 128 << 20
)

// RowChanges are changes of a draft. They are applied in the order of the
// fields; all ids refer to the rows before the changes.
type RowChanges struct {
	// AddColumns are names of columns to append.
	AddColumns []string
	// Set are new values of cells.
	Set []RowChange
	// Delete are the ids of rows to delete.
	Delete []string
	// Add are rows to append: objects of values by column.
	Add []jsontree.Value
}

// RowChange changes cells of one row.
type RowChange struct {
	RowID string
	// Values is an object of values by column. Other cells are left unchanged.
	Values jsontree.Value
}

// ChangedDraft is a draft after a change of its rows.
type ChangedDraft struct {
	Dataset
	// Added are the ids of the appended rows.
	Added []string
}

// ChangeDraftRows applies all changes to the draft of a group, or none. The
// fault is NotFound for an unknown group, draft or row, Forbidden if the caller
// lacks the permission, Conflict if an id was read before rows were deleted,
// Invalid if a column is unknown or already exists, and BadRequest if a limit
// is exceeded.
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

// changeRows applies the changes. It runs in a transaction.
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
