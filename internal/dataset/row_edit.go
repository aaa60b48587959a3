package dataset

import (
	"context"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
)

// rowEdit is an edit of a draft in progress.
type rowEdit struct {
	store   Store
	draft   Dataset
	layout  *layout
	changes *RowChanges
	// positions are those of the rows to set, and removed those of the rows to
	// delete, in ascending order.
	positions, removed []int64
}

// check finds the rows and columns of the changes and all problems.
func (e *rowEdit) check(context.Context) error {
	var problems fault.Problems
	if err := e.checkColumns(&problems); err != nil {
		return err
	}
	for i, id := range e.changes.Delete {
		position, err := e.find(id, fault.In("delete", i), &problems)
		if err != nil {
			return err
		}
		e.removed = append(e.removed, position)
	}
	slices.Sort(e.removed)
	for i := 1; i < len(e.removed) && !problems.Any(); i++ {
		if e.removed[i] == e.removed[i-1] {
			problems.Add(fault.In("delete"), "value_error", "The row %q is listed twice", e.draft.RowID(e.removed[i]))
		}
	}
	if err := e.checkSet(&problems); err != nil {
		return err
	}
	for i, values := range e.changes.Add {
		e.checkKnown(values, fault.In("add", i), &problems)
	}
	return problems.Err()
}

// find returns the position of a row. Only a malformed id is a problem at its
// location.
func (e *rowEdit) find(id string, loc []any, problems *fault.Problems) (int64, error) {
	position, err := e.draft.position(id)
	if fault.Is(err, fault.Invalid) {
		problems.Add(loc, "value_error", "%s", err)
		err = nil
	}
	return position, err
}

func (e *rowEdit) checkColumns(problems *fault.Problems) error {
	for i, name := range e.changes.AddColumns {
		loc := fault.In("add_columns", i)
		if strings.TrimSpace(name) == "" {
			problems.Add(loc, "value_error", "The name of a column cannot be empty")
			continue
		}
		if _, known := e.layout.at[name]; known {
			problems.Add(loc, "value_error", "The draft already has a column %.200q", name)
			continue
		}
		if err := e.layout.add(name); err != nil {
			return err
		}
	}
	return nil
}

func (e *rowEdit) checkSet(problems *fault.Problems) error {
	for i, change := range e.changes.Set {
		loc := fault.In("set", i)
		position, err := e.find(change.RowID, fault.At(loc, "row_id"), problems)
		if err != nil {
			return err
		}
		if _, gone := slices.BinarySearch(e.removed, position); gone && !problems.Any() {
			problems.Add(fault.At(loc, "row_id"), "value_error", "The row %q is also to be deleted", change.RowID)
		}
		e.checkKnown(change.Values, fault.At(loc, "values"), problems)
		e.positions = append(e.positions, position)
	}
	return nil
}

// checkKnown adds a problem for each unknown column.
func (e *rowEdit) checkKnown(values jsontree.Value, loc []any, problems *fault.Problems) {
	for name := range values.Members() {
		if _, known := e.layout.at[name]; !known {
			problems.Add(fault.At(loc, name), "value_error", "The draft has no column %.200q", name)
		}
	}
}

// set changes cells row by row.
func (e *rowEdit) set(ctx context.Context) error {
	rewritten := 0
	for i, position := range e.positions {
		rows, err := e.store.ReadRows(ctx, e.draft.content, position, 1, 0)
		if err != nil {
			return err
		}
		if len(rows) == 0 {
			return fault.NotFoundf("Row %q not found", e.changes.Set[i].RowID)
		}
		text, err := e.merged(rows[0], e.changes.Set[i].Values)
		if err != nil {
			return err
		}
		if rewritten += len(rows[0]) + len(text); rewritten > maxRewritten {
			return fault.BadRequestf("The changed rows are too large for one request")
		}
		if err := e.store.SetRow(ctx, e.draft.content, position, text); err != nil {
			return err
		}
	}
	return nil
}

// merged returns a row with the changed values.
func (e *rowEdit) merged(row string, values jsontree.Value) (string, error) {
	old, err := e.draft.cells(row)
	if err != nil {
		return "", err
	}
	cells := make([]cell, len(old))
	for i, value := range old {
		cells[i] = cell{e.draft.Columns[i], value.Raw()}
	}
	return e.text(append(cells, cellsOf(values)...))
}

func cellsOf(values jsontree.Value) []cell {
	cells := make([]cell, 0, values.Len())
	for name, value := range values.Members() {
		cells = append(cells, cell{name, value.Compact()})
	}
	return cells
}

// text returns a row as it is stored.
func (e *rowEdit) text(cells []cell) (string, error) {
	row := e.layout.row(cells)
	if len(row) > maxRowSize {
		return "", fault.BadRequestf("A row takes %d bytes, more than %d", len(row), maxRowSize)
	}
	return string(row), nil
}

// remove deletes rows.
func (e *rowEdit) remove(ctx context.Context) error {
	if len(e.removed) == 0 {
		return nil
	}
	if err := e.checkMoved(ctx); err != nil {
		return err
	}
	if err := e.store.RemoveRows(ctx, e.draft.content, e.removed); err != nil {
		return err
	}
	e.draft.RowCount -= int64(len(e.removed))
	e.draft.removals++
	return nil
}

// checkMoved refuses to delete rows with too many rows after them.
func (e *rowEdit) checkMoved(ctx context.Context) error {
	moved := e.draft.RowCount - e.removed[0] - int64(len(e.removed))
	if moved == 0 {
		return nil
	}
	if moved > maxMovedRows {
		return fault.BadRequestf("%d rows follow the first row to be deleted, more than %d", moved, maxMovedRows)
	}
	size, err := e.store.RowBytes(ctx, e.draft.content, e.removed[0])
	if err == nil && size > maxMovedBytes {
		err = fault.BadRequestf("The rows after the first row to be deleted take %d bytes, more than %d", size, maxMovedBytes)
	}
	return err
}

// add appends rows.
func (e *rowEdit) add(ctx context.Context) error {
	rows := make([]string, len(e.changes.Add))
	for i, values := range e.changes.Add {
		text, err := e.text(cellsOf(values))
		if err != nil {
			return err
		}
		rows[i] = text
	}
	if len(rows) == 0 {
		return nil
	}
	if e.draft.RowCount+int64(len(rows)) > MaxFileRows {
		return fault.BadRequestf("A draft cannot have more than %d rows", MaxFileRows)
	}
	if err := e.store.AddRows(ctx, e.draft.content, e.draft.RowCount, rows); err != nil {
		return err
	}
	e.draft.RowCount += int64(len(rows))
	return nil
}
