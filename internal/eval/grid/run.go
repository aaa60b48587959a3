package grid

import (
	"context"
	"fmt"
	"runtime/debug"

	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Interrupted is what is known of a cell whose process was lost while its step
// did something outside of it.
const Interrupted = "The server stopped while this cell was computed. It may have taken effect, so it was not repeated."

// MaxRow bounds the values of one row that are computed, in bytes of JSON.
const MaxRow = 16 << 20

// RunRow computes the cells of one row from left to right, and goes on from
// those that are known: final ones stay. One that was running when its process
// was lost is computed again, unless its step has an effect; then it has
// failed, because nobody knows whether it did.
//
// began is called before each step with an effect, with all cells of the row,
// of which that one is running. Nothing happens before it returns, so that it
// can make certain that this is known. It must not keep the cells, and an error
// of it ends the row: the cell is queued again. Who wants to begin nothing new
// returns one.
//
// The cells are returned in any case. An error is that of began, or the cause
// of the end of ctx. A cell whose effect was under way at that moment stays
// running.
func (g *Grid) RunRow(ctx context.Context, env step.Env, dataset []jsontree.Value, known []Cell, began func(cells []Cell) error) ([]Cell, error) {
	r := &row{grid: g, dataset: dataset, cells: g.resume(known)}
	env.Report = true
	env.Values = r
	for r.place = range r.cells {
		if r.cells[r.place].Status.Final() || r.settledWithoutRunning() {
			continue
		}
		if ctx.Err() != nil {
			return r.cells, context.Cause(ctx)
		}
		if err := r.announce(began); err != nil {
			return r.cells, err
		}
		if err := r.compute(ctx, &env); err != nil {
			return r.cells, err
		}
	}
	return r.cells, nil
}

// resume returns the cells to go on from.
func (g *Grid) resume(known []Cell) []Cell {
	cells := make([]Cell, len(g.columns))
	copy(cells, known)
	for i := range cells {
		switch {
		case cells[i].Status.Final():
		case cells[i].Status == Running && g.columns[i].work == step.Effect:
			cells[i] = Cell{Status: Failed, Error: Interrupted}
		default:
			cells[i] = Cell{Status: Queued}
		}
	}
	return cells
}

// row is a row that is being computed. It shows a step the values to its left.
type row struct {
	grid    *Grid
	dataset []jsontree.Value
	cells   []Cell
	// place is the cell that is computed.
	place int
}

// settledWithoutRunning makes a cell failed that has nothing to run or to work
// on, and reports whether it did.
func (r *row) settledWithoutRunning() bool {
	c := &r.grid.columns[r.place]
	if c.step == nil {
		message, _ := step.Explain(c.problem)
		r.cells[r.place] = Cell{Status: Failed, Error: message}
		return true
	}
	for _, need := range c.needs {
		if r.cells[need].Status == Failed {
			r.cells[r.place] = Cell{Status: Failed, Error: "Dependency '" + r.grid.columns[need].Name + "' failed"}
			return true
		}
	}
	return false
}

// announce tells of a step that has an effect before it begins.
func (r *row) announce(began func(cells []Cell) error) error {
	if r.grid.columns[r.place].work != step.Effect {
		return nil
	}
	cell := &r.cells[r.place]
	cell.Status = Running
	if err := began(r.cells); err != nil {
		cell.Status = Queued
		return err
	}
	return nil
}

// compute runs the step of a cell. A step that fails when ctx has ended was
// interrupted, whatever it says.
func (r *row) compute(ctx context.Context, env *step.Env) error {
	c := &r.grid.columns[r.place]
	if r.grid.Env != nil {
		own := r.grid.Env(c.Column)
		own.Report, own.Values, env = true, r, &own
	}
	value, err := run(ctx, c.step, env)
	switch {
	case err == nil:
		r.cells[r.place] = r.completed(value)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		if r.grid.Failed != nil {
			r.grid.Failed(c.Column, err)
		}
		message, _ := step.Explain(err)
		r.cells[r.place] = Cell{Status: Failed, Error: message}
	}
	return nil
}

// completed returns a cell with a value, or a failed one where the values of the
// row would take too much together.
func (r *row) completed(value jsontree.Value) Cell {
	size := len(value.Raw())
	for i := range r.cells[:r.place] {
		size += len(r.cells[i].Value.Raw())
	}
	if size > MaxRow {
		return Cell{Status: Failed, Error: fmt.Sprintf("The values of the row are larger than %d MiB together", MaxRow>>20)}
	}
	return Cell{Status: Completed, Value: value}
}

// run runs a step and keeps a mistake in it from taking the program down.
func run(ctx context.Context, s *step.Step, env *step.Env) (value jsontree.Value, err error) {
	defer func() {
		if caught := recover(); caught != nil {
			err = fmt.Errorf("panic: %v\n%s", caught, debug.Stack())
		}
	}()
	return s.Run(ctx, env)
}
