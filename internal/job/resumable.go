package job

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
)

// Resumable is how work on a subject is loaded and saved. The work is done in parts,
// and its progress is saved after each, so that another process can continue it.
type Resumable[T any] struct {
	// InTx runs a function in a transaction.
	InTx func(ctx context.Context, do func(ctx context.Context) error) error
	// Load returns the subject of a job, or a NotFound fault if it was deleted.
	Load func(ctx context.Context, workspace, id int64) (T, error)
	// Active reports whether work is left.
	Active func(subject *T) bool
	// Save stores the subject, whose stored state is now.
	Save func(ctx context.Context, now, next T) error
}

// Run loads the subject of a job and works on it. A job whose subject is deleted or has
// ended ends. If the work was interrupted, Run returns why.
func (r Resumable[T]) Run(ctx context.Context, task *Task, work func(ctx context.Context, w *Work[T]) error) error {
	always := context.WithoutCancel(ctx)
	subject, err := r.Load(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && !r.Active(&subject) {
		return r.InTx(always, task.End)
	}
	if err == nil {
		err = work(ctx, &Work[T]{Task: task, Now: subject, Always: always, resumable: r})
	}
	for _, interrupted := range []error{ErrLost, ErrStopped} {
		if err != nil && (errors.Is(err, interrupted) || errors.Is(context.Cause(ctx), interrupted)) {
			return interrupted
		}
	}
	return err
}

// Work is the work on a subject while this process holds its job.
type Work[T any] struct {
	Task *Task
	// Now is the subject as it is stored.
	Now T
	// Always is the context of what must not be interrupted.
	Always    context.Context // lives as long as the job
	resumable Resumable[T]
}

// Continue returns why the next part must not begin: ErrStopped, ErrLost or
// ErrCancelled. It is nil if the part may begin.
func (w *Work[T]) Continue(ctx context.Context) error {
	select {
	case <-w.Task.Stopping():
		return ErrStopped
	default:
		return context.Cause(ctx)
	}
}

// ContinueAlways is Continue for work that cannot be cancelled.
func (w *Work[T]) ContinueAlways(ctx context.Context) error {
	err := w.Continue(ctx)
	if errors.Is(err, ErrCancelled) {
		return nil
	}
	return err
}

// Parts does one part after the other, until there are no more or the work must not
// continue.
func (w *Work[T]) Parts(ctx context.Context, part func() (more bool, err error)) error {
	for more := true; more; {
		err := w.Continue(ctx)
		if err == nil {
			more, err = part()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

const (
	// attempts is how often a write is tried while the store refuses it, and pause the
	// time in between. Then the job waits longer.
	attempts = 20
	pause    = 500 * time.Millisecond
)

// Write calls write until the store accepts it. New request logs have precedence, so
// that the store may refuse other writes for a time with an Unavailable fault.
func (w *Work[T]) Write(write func() error) error {
	for attempt := 1; ; attempt++ {
		err := write()
		if attempt == attempts || !fault.Is(err, fault.Unavailable) {
			return err
		}
		select {
		case <-w.Task.Stopping():
			return ErrStopped
		case <-time.After(pause):
		}
	}
}

// Save stores the progress, and what also stores, if this process still holds the job.
func (w *Work[T]) Save(next T, also ...func(ctx context.Context) error) error {
	err := w.resumable.InTx(w.Always, func(ctx context.Context) error { return w.SaveIn(ctx, next, also...) })
	if err == nil {
		w.Now = next
	}
	return err
}

// SaveIn does the same in the transaction of the context. The caller sets Now when it
// is committed.
func (w *Work[T]) SaveIn(ctx context.Context, next T, also ...func(ctx context.Context) error) error {
	if err := w.Task.Hold(ctx); err != nil {
		return err
	}
	for _, store := range also {
		if err := store(ctx); err != nil {
			return err
		}
	}
	return w.resumable.Save(ctx, w.Now, next)
}

// End saves the subject like Save, and ends the job.
func (w *Work[T]) End(next T, also ...func(ctx context.Context) error) error {
	return w.resumable.InTx(w.Always, func(ctx context.Context) error {
		if err := w.SaveIn(ctx, next, also...); err != nil {
			return err
		}
		return w.Task.End(ctx)
	})
}

// Failure returns the text to store for an error that retrying cannot change, because
// it is in what was asked for. permanent is false for other errors.
func Failure(err error) (text string, permanent bool) {
	known, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return "", false
	}
	switch known.Kind {
	case fault.BadRequest, fault.Invalid, fault.NotFound:
		return Storable(known.Message), true
	default:
		return "", false
	}
}

// Storable returns a text without what PostgreSQL cannot store.
func Storable(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", "\uFFFD")
}

// IsCancelled reports whether work that ended with an error ends as cancelled: it is
// not retried, and fails only if it was not cancelled.
func IsCancelled(ctx context.Context, err error) bool {
	_, permanent := Failure(err)
	return errors.Is(err, ErrCancelled) || permanent && errors.Is(context.Cause(ctx), ErrCancelled)
}
