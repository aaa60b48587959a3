package dataset

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// body is the stored body of a version of a dataset.
type body struct {
	columns []string
	// filter is the JSON of a Selection, nil if there is none.
	filter []byte
	// removals counts how often rows were removed.
	removals int64
}

func (b body) encode() []byte {
	w := jsontree.NewWriter(nil)
	w.Object(func() {
		w.Key("column_names").Strings(b.columns)
		w.Key("filter_params").Raw(b.filter)
		if b.removals > 0 {
			w.Key("removals").Int(b.removals)
		}
	})
	return w.Bytes()
}

func decodeBody(text []byte) (body, error) {
	tree, err := jsontree.Parse(text)
	if err != nil {
		return body{}, fmt.Errorf("read the body of a dataset: %w", err)
	}
	b := body{columns: make([]string, 0, tree.Get("column_names").Len())}
	for _, column := range tree.Get("column_names").Elems() {
		b.columns = append(b.columns, column.Str())
	}
	if filter := tree.Get("filter_params"); filter.Given() {
		b.filter = filter.Raw()
	}
	b.removals, _ = tree.Get("removals").Int() // 0 if absent
	return b, nil
}

// datasetOf returns a stored dataset in its public form.
func datasetOf(stored Stored) (Dataset, error) {
	b, err := decodeBody(stored.Version.Body)
	return Dataset{
		ID: stored.Version.ID, GroupID: stored.Group.ID, Workspace: stored.Group.WorkspaceID, GroupName: stored.Group.Name,
		Number: stored.Version.Number, Columns: b.columns, RowCount: stored.RowCount,
		HasFilter: b.filter != nil, Filter: b.filter, Deleted: stored.Group.DeletedAt != nil,
		Creator: stored.Version.Creator, CreatorID: stored.Version.CreatorID, CreatedAt: stored.Version.CreatedAt, UpdatedAt: stored.UpdatedAt,
		content: stored.ContentID, removals: b.removals,
	}, err
}

// stateOf returns the state to store.
func (d *Dataset) stateOf() State {
	return State{
		Body: body{columns: d.Columns, filter: d.Filter, removals: d.removals}.encode(), ContentID: d.content, RowCount: d.RowCount, Creator: d.Creator,
	}
}
