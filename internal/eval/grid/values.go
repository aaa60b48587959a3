package grid

import (
	"iter"

	"github.com/promptuary/promptuary/internal/jsontree"
)

// Get returns the value of a completed column to the left, or of a dataset
// column.
func (r *row) Get(name string) (jsontree.Value, bool) {
	if i, isComputed := r.grid.computed[name]; isComputed && i < r.place {
		return r.cells[i].Value, r.cells[i].Status == Completed
	}
	if i, isGiven := r.grid.given[name]; isGiven {
		return r.value(i), true
	}
	return jsontree.Value{}, false
}

// value returns the value of a dataset column, absent if the row is too short.
func (r *row) value(i int) jsontree.Value {
	if i < len(r.dataset) {
		return r.dataset[i]
	}
	return jsontree.Value{}
}

// All ranges over the dataset columns, then over the completed columns to the
// left. It omits dataset columns with the name of one of these.
func (r *row) All() iter.Seq2[string, jsontree.Value] {
	return func(yield func(string, jsontree.Value) bool) {
		for i, name := range r.grid.dataset {
			if r.shows(i, name) && !yield(name, r.value(i)) {
				return
			}
		}
		for i := range r.cells[:r.place] {
			name := r.grid.columns[i].Name
			if r.cells[i].Status == Completed && r.grid.computed[name] == i && !yield(name, r.cells[i].Value) {
				return
			}
		}
	}
}

// shows reports whether a name refers to the dataset column i.
func (r *row) shows(i int, name string) bool {
	computed, isComputed := r.grid.computed[name]
	return r.grid.given[name] == i && (!isComputed || computed >= r.place)
}
