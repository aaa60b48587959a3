package grid

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

// Interrupted is the error of a cell whose process was lost during a step with
// side effects.
const Interrupted = "The server stopped while computing this cell. The step may have taken effect, so it was not repeated."

// MaxRow limits the total size of the computed values of one row, in bytes of
// JSON.
const MaxRow = 16 << 20

// RunRow computes the cells of one row from left to right, continuing from the
// known ones: final cells are kept. A cell that was running when its process
// was lost is computed again, unless its step has side effects. Then it fails,
// because the effect may have happened.
//
// began is called before each step with side effects, with all cells of the
// row, of which that one is running. The step starts only after began returns,
// so that began can store this. It must not retain the cells. An error from
// began ends the row, and the cell is queued again; return one to prevent new
// steps.
//
// A cell that asks a person waits, as soon as all cells to its left are computed
// or wait. Cells that need its value stay queued.
//
// The cells are always returned. The error is that of began, or the cause of
// the end of ctx. A cell whose side effect was in progress at that moment
// remains running.
func (g *Grid) RunRow(ctx context.Context, env step.Env, dataset []jsontree.Value, known []Cell, began func(cells []Cell) error) ([]Cell, error) {
	r := &row{grid: g, dataset: dataset, cells: g.resume(known)}
	env.Report = true
	env.Values = r
	for r.place = range r.cells {
		if r.cells[r.place].Status.Final() || r.settledWithoutRunning() || r.blocked() {
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

// resume returns the cells to continue from.
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

// row is a row being computed. It gives a step access to the values to its
// left.
type row struct {
	grid    *Grid
	dataset []jsontree.Value
	cells   []Cell
	// place is the index of the cell being computed.
	place int
}

// settledWithoutRunning marks a cell as failed if it has nothing to run or no
// input, and reports whether it did.
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

// announce calls began before a step with side effects.
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

// compute runs the step of a cell. A step that fails after ctx has ended was
// interrupted, whatever its error is.
func (r *row) compute(ctx context.Context, env *step.Env) error {
	c := &r.grid.columns[r.place]
	own := *env
	if r.grid.Env != nil {
		own = r.grid.Env(c.Column)
		own.Report, own.Values = true, r
	}
	reason := ""
	own.Explain = func(given string) { reason = given }
	within, ended := r.began(ctx, c)
	value, err := run(within, c.step, &own)
	switch {
	case err == nil:
		r.cells[r.place] = r.completed(value, reason)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	default:
		if r.grid.Failed != nil {
			r.grid.Failed(c.Column, err)
		}
		message, _ := step.Explain(err)
		r.cells[r.place] = Cell{Status: Failed, Error: message}
	}
	ended(r.cells[r.place])
	return nil
}

func (r *row) began(ctx context.Context, c *column) (context.Context, func(cell Cell)) {
	if r.grid.Began == nil || c.work == step.Inline {
		return ctx, func(Cell) {}
	}
	return r.grid.Began(ctx, c.Column, c.step.Sources(), r)
}

// completed returns a completed cell, or a failed one if the values of the row
// are too large in total.
func (r *row) completed(value jsontree.Value, reason string) Cell {
	size := len(value.Raw()) + len(reason)
	for i := range r.cells[:r.place] {
		size += len(r.cells[i].Value.Raw()) + len(r.cells[i].Reason)
	}
	if size > MaxRow {
		return Cell{Status: Failed, Error: fmt.Sprintf("The values of the row are larger than %d MiB together", MaxRow>>20)}
	}
	return Cell{Status: Completed, Value: value, Reason: reason}
}

// run runs a step and turns a panic into an error.
func run(ctx context.Context, s *step.Step, env *step.Env) (value jsontree.Value, err error) {
	err = guard.Run("cell of an evaluation", func() (err error) {
		value, err = s.Run(ctx, env)
		return err
	})
	return value, err
}
