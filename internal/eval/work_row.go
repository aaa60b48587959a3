package eval

import (
	"context"

	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

// knownRow is a row that an earlier process stored, or that waited.
type knownRow struct {
	// cells are the cells to continue from, with the answers of people.
	cells []grid.Cell
	// counted are the cells that the progress of the run includes.
	counted Progress
	// used are the answers in cells that were not used before.
	used []Answer
	// final reports whether there is nothing to do, ended whether the row was
	// final when it was stored.
	final, ended bool
}

// known returns stored rows, nil if there cannot be any.
func (x *execution) known(ctx context.Context, from, before int64) ([]knownRow, error) {
	if !x.resumed {
		return nil, nil
	}
	stored, err := x.service.store.ReportRows(ctx, x.run.ID, from, before, int(before-from))
	if err != nil {
		return nil, err
	}
	answers, err := x.unused(ctx, from, before)
	if err != nil {
		return nil, err
	}
	rows := make([]knownRow, before-from)
	for _, one := range stored {
		k := &rows[one.Position-from]
		k.used, k.ended = answers[one.Position], one.Final
		if k.final = k.ended && len(k.used) == 0; k.final {
			continue
		}
		if k.cells, err = grid.ParseRow([]byte(one.Cells)); err != nil {
			return nil, err
		}
		k.counted = countCells(k.cells)
		k.cells = x.withAnswers(k.cells, k.used)
		k.counted.Running = 0                           // their process is lost
		k.counted.Waiting = countCells(k.cells).Waiting // answers are counted when they are given
	}
	return rows, nil
}

// row computes one row. Steps with side effects are stored before they start.
func (x *execution) row(ctx context.Context, position int64, values []jsontree.Value, known knownRow) error {
	previous := known.counted
	request := func(cells []grid.Cell, final bool) saveRequest {
		now := countCells(cells)
		r := saveRequest{
			row: Row{Position: position, Cells: string(grid.AppendRow(nil, cells)), Final: final, Waiting: x.waiting(cells)},
			more: Progress{
				Completed: now.Completed - previous.Completed, Failed: now.Failed - previous.Failed,
				Running: now.Running - previous.Running, Waiting: now.Waiting - previous.Waiting,
			},
		}
		previous = now
		return r
	}
	began := func(cells []grid.Cell) error {
		if err := x.halted(ctx); err != nil {
			return err
		}
		return x.saver.saveNow(request(cells, false))
	}
	span := x.trace.row(position, values)
	cells, err := x.grid.RunRow(runtrace.With(ctx, span), step.Env{}, values, known.cells, began)
	if err != nil && x.work == step.Inline {
		return err // safe to compute again
	}
	final := grid.Final(cells)
	last := request(cells, final)
	if err == nil {
		last.row.Used = known.used
	}
	x.saver.save(last)
	if final && !known.ended {
		x.trace.rowEnded(span, known.cells, cells)
	}
	return err
}

func countCells(cells []grid.Cell) (n Progress) {
	for i := range cells {
		switch cells[i].Status {
		case grid.Completed:
			n.Completed++
		case grid.Failed:
			n.Failed++
		case grid.Running:
			n.Running++
		case grid.Waiting:
			n.Waiting++
		}
	}
	return n
}
