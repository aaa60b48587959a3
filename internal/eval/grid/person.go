package grid

import (
	"bytes"
	"slices"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Question returns what the column with the index asks a person, nil if it asks
// nothing.
func (g *Grid) Question(i int) *step.PersonQuestion {
	if g.columns[i].step == nil {
		return nil
	}
	return g.columns[i].step.Question()
}

// Asks reports whether a column asks people.
func (g *Grid) Asks() bool {
	for i := range g.columns {
		if g.Question(i) != nil {
			return true
		}
	}
	return false
}

// ID returns the id of the computed column with the index.
func (g *Grid) ID(i int) int64 { return g.columns[i].ID }

// Index returns the index of the computed column with the id, or -1.
func (g *Grid) Index(id int64) int {
	return slices.IndexFunc(g.columns, func(c column) bool { return c.ID == id })
}

// Answer returns the cells of a row after a person answered the cell with the
// index. If that changes the value, cells that depend on it are computed again.
func (g *Grid) Answer(cells []Cell, at int, value jsontree.Value) []Cell {
	answered := make([]Cell, len(g.columns))
	copy(answered, cells)
	old := answered[at]
	answered[at] = Cell{Status: Completed, Value: value}
	if old.Status != Completed || bytes.Equal(old.Value.Raw(), value.Raw()) {
		return answered
	}
	computes := func(i int) bool { return g.columns[i].step != nil && g.Question(i) == nil }
	for _, i := range g.waits.Below(at, computes) {
		answered[i] = Cell{Status: Queued}
	}
	return answered
}

// blocked reports whether nothing can be done for the cell now, because it waits
// for a person or for a cell that does.
func (r *row) blocked() bool {
	final := func(i int) bool { return r.cells[i].Status.Final() }
	if r.grid.Question(r.place) == nil {
		return !r.grid.waits.Ready(r.place, final)
	}
	if r.grid.waits.Ready(r.place, func(i int) bool { return final(i) || r.cells[i].Status == Waiting }) {
		r.cells[r.place].Status = Waiting
	}
	return true
}
