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
	if err = x.advance(ctx); err == nil {
		return nil
	}
	cause := context.Cause(ctx)
	switch {
	case errors.Is(err, job.ErrLost) || errors.Is(cause, job.ErrLost):
		return job.ErrLost
	case errors.Is(err, job.ErrCancelled) || errors.Is(cause, job.ErrCancelled):
		return x.giveUp(always, cancelled)
	case errors.Is(err, errNoDataset):
		return x.giveUp(always, datasetGone)
	}
	if errors.Is(err, errStopping) || errors.Is(context.Cause(ctx), job.ErrStopped) {
		return job.ErrStopped
	}
	return err
}

// advance computes what can be computed. Then the run ends, or it waits for
// people and the job ends: their answers queue another one.
func (x *execution) advance(ctx context.Context) error {
	for done := false; !done; {
		if err := x.compute(ctx); err != nil {
			return err
		}
		left, err := x.pause(ctx)
		if err != nil || left == StateWaiting {
			return err
		}
		if left == StateAnswers {
			continue
		}
		if done, err = x.end(ctx, ""); err != nil {
			return err
		}
	}
	return nil
}

// giveUp ends the run although some cells are not final. It retries if the
// scoring of the run changes in the meantime.
func (x *execution) giveUp(ctx context.Context, note string) error {
	for done := false; !done; {
		var err error
		if done, err = x.end(ctx, note); err != nil {
			return err
		}
	}
	return nil
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
	// asks reports whether a column asks people.
	asks bool
	next atomic.Int64
	// answered are the positions of the rows to compute, unless all are.
	answered []int64
	saver    *saver
	trace    rowTracer
	// workflows are the versions of workflows that ran since the last rows were
	// stored.
	workflows usedWorkflows
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
	x.asks = x.grid.Asks()
	envs := map[int64]step.Env{}
	for _, c := range computed {
		envs[c.ID] = s.env(Scope{
			Workspace: run.Workspace, RunID: run.ID, ColumnID: c.ID, Ran: func(id, version int64) { x.workflows.add(c.ID, id, version) },
		})
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
	if x.run.State != StateRows {
		size = 1
		if err := x.findAnswered(ctx); err != nil {
			return err
		}
	}
	x.next.Store(0)
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
		from, found := x.nextPart(size)
		if !found {
			return nil
		}
		if err := x.part(ctx, from, min(from+size, x.run.Rows)); err != nil {
			return err
		}
	}
}

// nextPart returns the position of the next part, and whether there is one.
func (x *execution) nextPart(size int64) (from int64, found bool) {
	from = x.next.Add(size) - size
	if x.run.State == StateRows {
		return from, from < x.run.Rows
	}
	if from >= int64(len(x.answered)) {
		return 0, false
	}
	return x.answered[from], true
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
	queue := x.service.waiting
	if x.work == step.Inline {
		queue = x.service.computing
	}
	done, err := queue.Acquire(ctx, x.run.Workspace)
	if err != nil {
		return err
	}
	defer done()
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
		return x.row(ctx, position-1, values, k)
	})
	if err == nil && position < before {
		err = errNoDataset
	}
	return err
}

// end computes the score and stores the end of the run, with the reason if some
// cells are not final. It reports whether it did: it does not if the score of
// the run depends on something that changed in the meantime.
func (x *execution) end(ctx context.Context, note string) (ended bool, err error) {
	run, err := x.service.store.GetReportRun(ctx, x.run.Workspace, x.run.ID)
	if fault.Is(err, fault.NotFound) {
		return true, x.service.entities.InTx(ctx, x.task.End)
	}
	if err != nil {
		return false, err
	}
	columns, err := x.service.store.ReportRunColumns(ctx, run.ID)
	if err != nil {
		return false, err
	}
	run.EndNote = note
	found, err := x.service.rate(ctx, run, columns, run.Scoring)
	if err != nil {
		return false, err
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
	if err == nil && ended {
		x.trace.ended(run, end)
	}
	return ended, err
}
