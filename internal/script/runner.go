package script

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
)

// Runner runs programs. It is safe for concurrent use.
type Runner struct {
	limits Limits
	idle   time.Duration
	slots  *fair.Queue
	// workers separates the processes for JavaScript.
	workers separator
	python  *python

	closing context.Context
	close   context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
	waiting []*worker // idle workers, the last used at the end
}

const (
	// workspaceShares is the number of workspaces that can use all slots of one
	// workspace at the same time.
	workspaceShares = 4
	// maxWaiting is the number of programs of one workspace that may wait.
	maxWaiting = 1000
)

var errClosed error = fault.New(fault.Unavailable, "code cannot be run: the server is stopping")

// New returns a runner. It starts the first process when there is a program.
func New(o Options) *Runner {
	r := &Runner{limits: o.Limits.or(Limits{Time: DefaultTime, Memory: DefaultMemory, Output: DefaultOutput}), idle: o.Idle}
	if r.idle <= 0 {
		r.idle = time.Minute
	}
	if o.Concurrency <= 0 {
		o.Concurrency = runtime.GOMAXPROCS(0)
	}
	r.slots = fair.New(fair.Options{Slots: workspaceShares * o.Concurrency, Each: o.Concurrency, Waiting: maxWaiting})
	log := cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	r.workers = separator{language: JavaScript, log: log}
	if o.Python != "" {
		r.python = &python{interpreter: o.Python, separator: separator{language: Python, log: log}}
	}
	r.closing, r.close = context.WithCancel(context.Background())
	return r
}

// Queue returns the queue of programs.
func (r *Runner) Queue() *fair.Queue { return r.slots }

// enter waits for a slot. The returned function releases it.
func (r *Runner) enter(ctx context.Context, workspace int64) (leave func(), err error) {
	release, err := r.slots.Acquire(ctx, workspace)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		release()
		return nil, errClosed
	}
	r.running.Add(1)
	return func() { release(); r.running.Done() }, nil
}

// Close ends all runs and processes, and waits until they have ended. Later
// runs fail.
func (r *Runner) Close() {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.close()
	r.running.Wait()
	for w := r.take(); w != nil; w = r.take() {
		w.end()
	}
}

// runInWorker runs a job in an idle worker or in a new one.
func (r *Runner) runInWorker(ctx context.Context, j job) (Result, error) {
	for {
		w, fresh := r.take(), false
		if w == nil {
			var err error
			if w, err = r.newWorker(ctx); err != nil {
				return Result{}, startFault(ctx, err)
			}
			fresh = true
		}
		answer, alive, err := w.run(ctx, j)
		if alive {
			r.keep(w)
		} else {
			w.end()
		}
		if errors.Is(err, errGone) && !fresh {
			continue // it ended while it was idle, and the code did not run
		}
		if err != nil {
			return Result{}, err
		}
		return resultOf(answer)
	}
}

// newWorker starts a worker.
func (r *Runner) newWorker(ctx context.Context) (*worker, error) {
	var first *worker
	how, err := r.workers.settle(ctx, func(try separation) (err error) {
		first, err = startWorker(ctx, try)
		return err
	})
	if err != nil {
		return nil, err
	}
	if first != nil {
		return first, nil
	}
	return startWorker(ctx, how)
}

// startFault returns the error for a process that could not be started, which
// is not the fault of the code.
func startFault(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return fault.Wrap(fault.Unavailable, err, "code cannot be run at the moment")
}

func resultOf(answer outcome) (Result, error) {
	result := Result{Value: answer.Value, Stdout: answer.Stdout, Stderr: answer.Stderr}
	if answer.Failure != nil {
		return result, answer.Failure
	}
	return result, nil
}

// take returns the idle worker that was used last, or nil.
func (r *Runner) take() *worker {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.waiting) == 0 {
		return nil
	}
	last := len(r.waiting) - 1
	w := r.waiting[last]
	r.waiting = r.waiting[:last]
	w.retire.Stop()
	return w
}

// keep makes a worker idle. It ends after a time without a job.
func (r *Runner) keep(w *worker) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.waiting = append(r.waiting, w)
	w.retire = time.AfterFunc(r.idle, func() { r.drop(w) })
}

// drop ends a worker unless it has got a job.
func (r *Runner) drop(w *worker) {
	r.mu.Lock()
	at := slices.Index(r.waiting, w)
	if at >= 0 {
		r.waiting = slices.Delete(r.waiting, at, at+1)
	}
	r.mu.Unlock()
	if at >= 0 {
		w.end()
	}
}
