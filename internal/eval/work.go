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
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/step"
)

const (
	// inlineRows is how many rows are read and computed in one go where that
	// takes no time.
	inlineRows = 64
	// maxRowsAtOnce is how many rows of a run have steps under way that take
	// their time.
	maxRowsAtOnce = 16
)

// errStopping says that nothing new is begun.
var errStopping = errors.New("nothing new is begun")

// errNoDataset says that a run cannot go on because its dataset is gone.
var errNoDataset = errors.New("the dataset is gone")

// datasetGone is what is known of cells whose row is gone.
const datasetGone = "The dataset is not there any more"

// Work does a run, or goes on with it. What is known of it is read even where
// the run was cancelled: that has to be stored.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	always := context.WithoutCancel(ctx)
	run, err := s.store.GetReportRun(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && run.EndedAt != nil {
		return s.entities.InTx(always, task.End) // it went with its evaluation
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

// execution is a run under way.
type execution struct {
	service *Service
	task    *job.Task
	run     Run
	grid    *grid.Grid
	over    dataset.Dataset
	// work is the most that one of the columns takes.
	work step.Work
	// resumed says that rows may be stored already.
	resumed bool
	next    atomic.Int64
	saver   *saver
}

// execution returns a run that is ready to be computed, as far as it is not.
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
	return x, nil
}

// report logs failures that the user cannot know anything about.
func (x *execution) report(column grid.Column, err error) {
	var known *fault.Error
	var failure *step.FailureError
	if !errors.As(err, &known) && !errors.As(err, &failure) && !errors.Is(err, context.Canceled) {
		x.service.log.Error("a cell failed", "run", x.run.ID, "column", column.ID, "error", err)
	}
}

// compute computes all rows that are not final, and stores them. When the
// context ends or the process stops, what was done is stored and the error says
// why it did not come to the end.
func (x *execution) compute(ctx context.Context) error {
	x.saver = newSaver(x)
	workers, size := maxRowsAtOnce, int64(1)
	if x.work == step.Inline {
		workers, size = runtime.GOMAXPROCS(0), inlineRows
	}
	group, inner := errgroup.WithContext(ctx)
	for range workers {
		group.Go(func() error { return x.parts(inner, size) })
	}
	saved := make(chan error, 1)
	go func() { saved <- x.saver.loop(context.WithoutCancel(ctx)) }()
	err := group.Wait()
	close(x.saver.requests)
	// A failure to save is why the others ended, too.
	if failed := <-saved; failed != nil {
		return failed
	}
	return err
}

// parts computes one part after the other, each so many rows.
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

// halted returns why nothing new may be begun, nil where it may.
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

// knownRow is what an earlier process has left of a row.
type knownRow struct {
	cells []grid.Cell
	final bool
}

// known returns what is stored of rows, nil where nothing can be.
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

// row computes one row. Steps with an effect are stored before they begin.
func (x *execution) row(ctx context.Context, position int64, values []jsontree.Value, known []grid.Cell) error {
	told := countCells(known)
	told.Running = 0 // the process that ran them is lost
	request := func(cells []grid.Cell, final bool) saveRequest {
		now := countCells(cells)
		r := saveRequest{
			row: Row{Position: position, Cells: string(grid.AppendRow(nil, cells)), Final: final},
			more: Progress{
				Completed: now.Completed - told.Completed, Failed: now.Failed - told.Failed, Running: now.Running - told.Running,
			},
		}
		told = now
		return r
	}
	began := func(cells []grid.Cell) error {
		if err := x.halted(ctx); err != nil {
			return err
		}
		return x.saver.saveNow(request(cells, false))
	}
	cells, err := x.grid.RunRow(ctx, step.Env{}, values, known, began)
	if err != nil && x.work == step.Inline {
		return err // nobody notices when it is computed again
	}
	x.saver.save(request(cells, grid.Final(cells)))
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

// end computes the score and stores the end of the run, with why cells are not
// final where there are such. It starts again when somebody changes meanwhile
// how the run is scored.
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
	}
	return nil
}
