package eval

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/eval/grid"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/step"
)

const (
	// inlineRows is the number of rows per part if all steps are fast.
	inlineRows = 64
	// maxRowsAtOnce is the number of concurrent rows of a run with slow steps.
	maxRowsAtOnce = 16
)

// errStopping means that the process is stopping and starts nothing new.
var errStopping = errors.New("the process is stopping")

// errNoDataset means that the dataset of a run no longer exists.
var errNoDataset = errors.New("dataset no longer exists")

// datasetGone is the error of cells whose dataset no longer exists.
const datasetGone = "The dataset no longer exists"

// Work executes a run or continues it. It also loads a cancelled run, because
// its end must be stored.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	always := context.WithoutCancel(ctx)
	run, err := s.store.GetReportRun(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && run.EndedAt != nil {
		return s.entities.InTx(always, task.End) // deleted with its evaluation, or already ended
	}
	if err != nil {
		return err
	}
	x, err := s.execution(always, task, run)
	if err != nil {
		return err
	}
	err = x.compute(ctx)
	cause := context.Cause(ctx)
	switch {
	case errors.Is(err, job.ErrLost) || errors.Is(cause, job.ErrLost):
		return job.ErrLost
	case errors.Is(cause, job.ErrCancelled):
		return x.end(always, cancelled)
	case errors.Is(err, errNoDataset):
		return x.end(always, datasetGone)
	case err == nil:
		err = x.end(ctx, "")
		if err != nil && errors.Is(context.Cause(ctx), job.ErrCancelled) {
			return x.end(always, cancelled)
		}
	}
	if errors.Is(err, errStopping) || errors.Is(context.Cause(ctx), job.ErrStopped) {
		return job.ErrStopped
	}
	return err
}

// execution is an active run.
type execution struct {
	service *Service
	task    *job.Task
	run     Run
	grid    *grid.Grid
	over    dataset.Dataset
	// work is the slowest kind of work of the columns.
	work step.Work
	// resumed reports whether rows may be stored already.
	resumed bool
	next    atomic.Int64
	saver   *saver
	trace   rowTracer
}

// execution prepares a run for computing the rows that are not final.
func (s *Service) execution(ctx context.Context, task *job.Task, run Run) (*execution, error) {
	columns, err := s.store.ReportRunColumns(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	stored, err := s.store.ReportRows(ctx, run.ID, 0, run.Rows, 1)
	if err != nil {
		return nil, err
	}
	over, err := s.datasets.Get(ctx, run.Workspace, run.DatasetID)
	if err != nil && !fault.Is(err, fault.NotFound) {
		return nil, err
	}
	x := &execution{service: s, task: task, run: run, over: over, resumed: len(stored) > 0}
	given, computed := split(columns)
	x.grid = grid.Read(given, computed)
	x.grid.Failed = x.report
	envs := map[int64]step.Env{}
	for _, c := range computed {
		envs[c.ID] = s.env(Scope{Workspace: run.Workspace, RunID: run.ID, ColumnID: c.ID})
		if found, known := step.Find(c.Type); known {
			x.work = max(x.work, found.Work())
		}
	}
	x.grid.Env = func(c grid.Column) step.Env { return envs[c.ID] }
	x.trace = s.newTracer(run, given, computed)
	x.grid.Began = x.trace.cell
	return x, nil
}

// report logs failures whose cause the user cannot see.
func (x *execution) report(column grid.Column, err error) {
	var known *fault.Error
	var failure *step.FailureError
	if !errors.As(err, &known) && !errors.As(err, &failure) && !errors.Is(err, context.Canceled) {
		x.service.log.Error("a cell failed", "run", x.run.ID, "column", column.ID, "error", err)
	}
}

// compute computes and stores all rows that are not final. If the context ends
// or the process stops, it stores what was computed and returns the reason.
func (x *execution) compute(ctx context.Context) error {
	x.saver = newSaver(x)
	workers, size := maxRowsAtOnce, int64(1)
	if x.work == step.Inline {
		workers, size = runtime.GOMAXPROCS(0), inlineRows
	}
	group, inner := errgroup.WithContext(ctx)
	for range workers {
		group.Go(guard.Task("evaluation", func() error { return x.parts(inner, size) }))
	}
	saved := make(chan error, 1)
	guard.Go("evaluation", func() { saved <- x.saver.run(context.WithoutCancel(ctx)) })
	err := group.Wait()
	close(x.saver.requests)
	// A failure to save is also why the others ended.
	if failed := <-saved; failed != nil {
		return failed
	}
	return err
}

// parts computes the rows in parts of the given size.
func (x *execution) parts(ctx context.Context, size int64) error {
	for {
		if err := x.halted(ctx); err != nil {
			return err
		}
		from := x.next.Add(size) - size
		if from >= x.run.Rows {
			return nil
		}
		if err := x.part(ctx, from, min(from+size, x.run.Rows)); err != nil {
			return err
		}
	}
}

// halted returns the reason to start nothing new, nil if there is none.
func (x *execution) halted(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-x.saver.failed:
		return errStopping
	case <-x.task.Stopping():
		return errStopping
	default:
		return nil
	}
}

// part computes some rows, each as soon as it is read.
func (x *execution) part(ctx context.Context, from, before int64) error {
	slots := x.service.waiting
	if x.work == step.Inline {
		slots = x.service.computing
	}
	if err := slots.take(ctx); err != nil {
		return err
	}
	defer slots.free()
	known, err := x.known(ctx, from, before)
	if err != nil || known != nil && !slices.ContainsFunc(known, func(k knownRow) bool { return !k.final }) {
		return err
	}
	position := from
	_, err = x.service.datasets.Rows(ctx, &x.over, dataset.RowQuery{Offset: from, Limit: before - from}, func(values []jsontree.Value) error {
		var k knownRow
		if known != nil {
			k = known[position-from]
		}
		position++
		if k.final {
			return nil
		}
		return x.row(ctx, position-1, values, k.cells)
	})
	if err == nil && position < before {
		err = errNoDataset
	}
	return err
}

// knownRow is a row that an earlier process stored.
type knownRow struct {
	cells []grid.Cell
	final bool
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
	rows := make([]knownRow, before-from)
	for _, one := range stored {
		k := &rows[one.Position-from]
		if k.final = one.Final; k.final {
			continue
		}
		if k.cells, err = grid.ParseRow([]byte(one.Cells)); err != nil {
			return nil, err
		}
	}
	return rows, nil
}

// row computes one row. Steps with side effects are stored before they start.
func (x *execution) row(ctx context.Context, position int64, values []jsontree.Value, known []grid.Cell) error {
	previous := countCells(known)
	previous.Running = 0 // their process is lost
	request := func(cells []grid.Cell, final bool) saveRequest {
		now := countCells(cells)
		r := saveRequest{
			row: Row{Position: position, Cells: string(grid.AppendRow(nil, cells)), Final: final},
			more: Progress{
				Completed: now.Completed - previous.Completed, Failed: now.Failed - previous.Failed, Running: now.Running - previous.Running,
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
	cells, err := x.grid.RunRow(runtrace.With(ctx, span), step.Env{}, values, known, began)
	if err != nil && x.work == step.Inline {
		return err // safe to compute again
	}
	final := grid.Final(cells)
	x.saver.save(request(cells, final))
	if final {
		x.trace.rowEnded(span, known, cells)
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
		}
	}
	return n
}

// end computes the score and stores the end of the run, with the reason if some
// cells are not final. It retries if the scoring of the run changes meanwhile.
func (x *execution) end(ctx context.Context, note string) error {
	for ended := false; !ended; {
		run, err := x.service.store.GetReportRun(ctx, x.run.Workspace, x.run.ID)
		if fault.Is(err, fault.NotFound) {
			return x.service.entities.InTx(ctx, x.task.End)
		}
		if err != nil {
			return err
		}
		columns, err := x.service.store.ReportRunColumns(ctx, run.ID)
		if err != nil {
			return err
		}
		run.EndNote = note
		found, err := x.service.rate(ctx, run, columns, run.Scoring)
		if err != nil {
			return err
		}
		end := End{At: x.service.clock(), Note: note, Result: found.result, Scores: found.scores, Revision: run.Revision}
		err = x.service.entities.InTx(ctx, func(ctx context.Context) error {
			if err := x.task.Hold(ctx); err != nil {
				return err
			}
			if ended, err = x.service.store.EndReportRun(ctx, run.ID, end); err != nil || !ended {
				return err
			}
			return x.task.End(ctx)
		})
		if err != nil {
			return err
		}
		if ended {
			x.trace.ended(run, end)
		}
	}
	return nil
}
