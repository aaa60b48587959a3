package job

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/guard"
)

// worker is a running worker.
type worker struct {
	token  int64 // of the lease it works under
	cancel context.CancelCauseFunc
}

// Runner is a Queue that runs its jobs once it is started. It is safe for concurrent
// use.
type Runner struct {
	options Options
	slots   *fair.Queue

	mu      sync.Mutex
	workers map[Kind]Worker // nil until the start
	held    map[int64]worker
	stopped bool

	stopping chan struct{} // closed when the process is about to stop
	work     sync.WaitGroup
	loop     sync.WaitGroup
	endLoop  context.CancelFunc
	look     chan struct{}
	crowded  atomic.Bool // a job had to wait for a slot
}

// NewRunner returns a runner. Until it is started, it only stores jobs.
func NewRunner(options Options) *Runner {
	options = options.withDefaults()
	return &Runner{
		options: options, slots: fair.New(fair.Options{Slots: options.Total, Each: options.Each}), held: map[int64]worker{},
		stopping: make(chan struct{}), look: make(chan struct{}, 1),
	}
}

// Start runs jobs with a worker for each kind. It takes over jobs without a valid
// lease, immediately and then periodically, until Stop.
func (r *Runner) Start(ctx context.Context, workers map[Kind]Worker) error {
	if r.options.Alone {
		if err := r.options.Store.LeaveJobs(ctx); errors.Is(err, syscall.ENOSPC) {
			r.options.Logger.Warn("the disk is full: interrupted jobs wait until their leases end", "error", err)
		} else if err != nil {
			return fmt.Errorf("take over jobs: %w", err)
		}
	}
	r.mu.Lock()
	r.workers = workers
	r.mu.Unlock()
	ctx, r.endLoop = context.WithCancel(context.WithoutCancel(ctx))
	r.loop.Go(guard.Loop("job runner", ctx.Done(), func() { r.repeat(ctx, r.options.LookEvery, r.look, r.takeOver) }))
	r.loop.Go(guard.Loop("job leases", ctx.Done(), func() { r.repeat(ctx, r.options.LeaseFor/3, nil, r.extend) }))
	r.wake()
	return nil
}

// repeat calls do periodically and whenever it is woken.
func (r *Runner) repeat(ctx context.Context, every time.Duration, woken <-chan struct{}, do func(context.Context) error) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		case <-woken:
		}
		if err := do(ctx); err != nil && ctx.Err() == nil {
			r.options.Logger.Warn("cannot manage background jobs", "error", err)
		}
	}
}

// Slots returns the queue whose slots running jobs hold.
func (r *Runner) Slots() *fair.Queue { return r.slots }

// Wake implements Queue.
func (r *Runner) Wake() { r.wake() }

func (r *Runner) wake() {
	select {
	case r.look <- struct{}{}:
	default:
	}
}

// Add implements Queue.
func (r *Runner) Add(ctx context.Context, job Job, inTx func(context.Context, func(context.Context) error) error,
	store func(ctx context.Context) (subject int64, err error),
) error {
	lease := Lease{}
	release, mine := r.tryAcquire(job.Workspace)
	if mine {
		lease = r.lease()
	} else {
		r.crowded.Store(true)
	}
	var added Job
	err := inTx(ctx, func(ctx context.Context) (err error) {
		if job.Subject, err = store(ctx); err != nil {
			return err
		}
		added, err = r.options.Store.AddJob(ctx, job, lease)
		return err
	})
	switch {
	case mine && err == nil:
		r.begin(added, release)
	case mine:
		release()
	case err == nil:
		r.wake() // a slot may have become free before the job was stored
	}
	return err
}

// tryAcquire takes a slot if the runner has started and a slot is free.
func (r *Runner) tryAcquire(workspace int64) (release func(), ok bool) {
	r.mu.Lock()
	started := r.workers != nil
	r.mu.Unlock()
	if !started {
		return nil, false
	}
	return r.slots.TryAcquire(workspace)
}

func (r *Runner) lease() Lease {
	return Lease{Owner: r.options.Owner, For: r.options.LeaseFor}
}

// Cancel implements Queue.
func (r *Runner) Cancel(ctx context.Context, workspace int64, kind Kind, subject int64) (bool, error) {
	job, found, err := r.options.Store.CancelJob(ctx, workspace, kind, subject)
	if err != nil || !found {
		return found, err
	}
	r.interrupt(job.ID, ErrCancelled)
	r.wake() // it may not have started yet
	return true, nil
}

func (r *Runner) interrupt(id int64, cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if one, held := r.held[id]; held {
		one.cancel(cause)
	}
}

// takeBatch is the maximum number of jobs to take over in one query.
const takeBatch = 100

// takeOver starts jobs without a valid lease, as long as there are free slots.
func (r *Runner) takeOver(ctx context.Context) error {
	for {
		full, free := r.slots.Full()
		if free == 0 || r.isStopped() {
			return nil
		}
		open, err := r.options.Store.OpenJobs(ctx, full, min(free, takeBatch))
		if err != nil {
			return err
		}
		if len(open) == 0 {
			r.crowded.Store(len(full) > 0)
			return nil
		}
		tried := 0
		for _, job := range open {
			release, ok := r.mayTake(job)
			if !ok {
				continue
			}
			tried++
			if err := r.take(ctx, job.ID, release); err != nil {
				return err
			}
		}
		if tried == 0 {
			return nil
		}
	}
}

// mayTake takes a slot for a job. It takes none for a job that this process is still
// working on although its lease expired.
func (r *Runner) mayTake(job Job) (release func(), ok bool) {
	if r.isHeld(job.ID) {
		return nil, false
	}
	return r.slots.TryAcquire(job.Workspace)
}

// take takes a job and starts it in the slot that release gives back, unless another
// process took it first.
func (r *Runner) take(ctx context.Context, id int64, release func()) error {
	job, taken, err := r.options.Store.TakeJob(ctx, id, r.lease())
	if err != nil || !taken {
		release()
		return err
	}
	r.begin(job, release)
	return nil
}

func (r *Runner) isHeld(id int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	_, held := r.held[id]
	return held
}

// begin starts a job that the process holds in the slot that release gives back. The
// job acts as the system: what its caller may do was checked before it was queued.
func (r *Runner) begin(job Job, release func()) {
	ctx, cancel := context.WithCancelCause(access.AsSystemIn(context.Background(), job.Workspace))
	task := &Task{Job: job, store: r.options.Store, stopping: r.stopping}
	r.mu.Lock()
	stopped := r.stopped
	if !stopped {
		r.held[job.ID] = worker{job.Token, cancel}
		r.work.Add(1)
	}
	r.mu.Unlock()
	if job.Cancelled {
		cancel(ErrCancelled)
	}
	if stopped {
		cancel(ErrStopped)
		release()
		r.leave(task, ErrStopped)
		return
	}
	guard.Go("job", func() {
		defer r.work.Done()
		defer cancel(nil)
		r.do(ctx, task, release)
	})
}

// do runs a job and releases it if it did not complete.
func (r *Runner) do(ctx context.Context, task *Task, release func()) {
	err := r.guarded(ctx, task)
	r.mu.Lock()
	delete(r.held, task.ID)
	r.mu.Unlock()
	release()
	if err != nil && !errors.Is(err, ErrLost) {
		r.leave(task, err)
	}
	if r.crowded.Load() {
		r.wake()
	}
}

// leave releases a job, with a delay if it failed. It removes the owner, so
// that extending the leases of other jobs does not extend this one.
func (r *Runner) leave(task *Task, err error) {
	level, delay := slog.LevelError, r.options.LeaseFor
	if errors.Is(err, ErrStopped) {
		level, delay = slog.LevelInfo, 0
	}
	r.options.Logger.Log(context.Background(), level, "job did not complete", "job", task.ID, "kind", task.Kind, "error", err)
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := r.options.Store.LeaveJob(ctx, task.Job, delay); err != nil {
		r.options.Logger.Warn("cannot release job", "job", task.ID, "error", err)
	}
}

// guarded runs the worker of a job and turns a panic into an error.
func (r *Runner) guarded(ctx context.Context, task *Task) error {
	r.mu.Lock()
	worker, known := r.workers[task.Kind]
	r.mu.Unlock()
	if !known {
		return fmt.Errorf("no worker for jobs of kind %s", task.Kind)
	}
	return guard.Run("job", func() error { return worker.Work(ctx, task) })
}

// extend extends the leases of all jobs that the process holds, and interrupts
// the workers of jobs that were lost or cancelled.
func (r *Runner) extend(ctx context.Context) error {
	mine := r.heldTokens()
	if len(mine) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, r.options.LeaseFor/3)
	defer cancel()
	held, err := r.options.Store.ExtendJobs(ctx, r.lease())
	if err != nil {
		return err
	}
	still := map[int64]int64{}
	for _, one := range held {
		still[one.ID] = one.Token
		if one.Cancelled {
			r.interrupt(one.ID, ErrCancelled)
		}
	}
	for id, token := range mine {
		if still[id] != token {
			r.interrupt(id, ErrLost)
		}
	}
	return nil
}

// heldTokens returns the tokens of the jobs that workers run, by id.
func (r *Runner) heldTokens() map[int64]int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	tokens := make(map[int64]int64, len(r.held))
	for id, one := range r.held {
		tokens[id] = one.token
	}
	return tokens
}

func (r *Runner) isStopped() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.stopped
}

// Stop starts no more jobs, lets workers finish until ctx ends, then interrupts
// them, and returns when all workers have returned.
func (r *Runner) Stop(ctx context.Context) {
	r.mu.Lock()
	if r.stopped {
		r.mu.Unlock()
		return
	}
	r.stopped = true
	r.mu.Unlock()
	close(r.stopping)
	done := make(chan struct{})
	guard.Go("job runner", func() { r.work.Wait(); close(done) })
	select {
	case <-done:
	case <-ctx.Done():
		for id := range r.heldTokens() {
			r.interrupt(id, ErrStopped)
		}
		<-done
	}
	if r.endLoop != nil {
		r.endLoop()
		r.loop.Wait()
	}
}
