package embedded

import (
	"context"
	"fmt"
	"log/slog"
	"time"

	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
)

// applier is the one goroutine that changes what is derived from the journal. It
// decides when: it takes what is in the queue to the upkeep, has the table saved,
// rebuilds what is reported to be damaged, and runs tasks of others in between, one
// thing at a time.
type applier struct {
	queue  *queue
	upkeep *upkeep
	texts  *texts
	losses *losses
	alarms *alarms
	log    *slog.Logger

	tasks    chan func() error // of others, see do
	taskDone chan error
	stopping <-chan struct{}
	stopped  chan struct{} // closed when the goroutine has ended
}

// loop moves durable operations into the table and the text index until
// the store is closed and nothing is pending.
func (a *applier) loop() {
	defer close(a.stopped)
	idle := time.NewTimer(0)
	defer idle.Stop()
	for ended := false; !ended; {
		err := guard.Run("log store", func() error {
			ended = a.next(idle)
			return nil
		})
		if err != nil {
			a.upkeep.settle(err) // nobody waits for what may never come
			ended = a.pauseAfterPanic(idle)
		}
	}
}

// pauseAfterPanic waits before the store tries again, and reports whether it is
// stopping.
func (a *applier) pauseAfterPanic(idle *time.Timer) (stopping bool) {
	idle.Reset(checkpointIdle)
	signal(a.queue.wake)
	select {
	case <-a.stopping:
		return true // the journal keeps what is pending for the next start
	case <-time.After(checkpointIdle):
		return false
	}
}

// next waits for something to do, does it, and reports whether the store is
// stopping.
func (a *applier) next(idle *time.Timer) (stopping bool) {
	select {
	case <-a.queue.wake:
		a.gather()
	case <-idle.C:
		if !a.upkeep.save(context.Background(), 1) {
			idle.Reset(checkpointIdle)
		}
		return false
	case cause := <-a.alarms.table:
		a.mend(context.Background(), cause)
	case <-a.alarms.text:
		a.mendText(context.Background())
	case <-a.alarms.journal:
		a.losses.assess(context.Background())
		return false
	case task := <-a.tasks:
		a.taskDone <- guard.Run("log store", task)
		return false
	case <-a.stopping:
		a.applyPending()
		return true
	}
	a.applyPending()
	a.upkeep.save(context.Background(), table.CheckpointRows)
	idle.Reset(checkpointIdle)
	return false
}

// checkpointIdle is how long the store must be idle before all rows are written
// to the table's file, so that a start after a crash has less to apply.
const checkpointIdle = 3 * time.Second

// gather gives further operations a moment to join the same transaction,
// unless a reader is waiting.
func (a *applier) gather() {
	select {
	case <-a.queue.urgent: // for operations applied since
	default:
	}
	delay := a.queue.delay()
	if delay == 0 {
		return
	}
	select {
	case <-a.queue.urgent:
	case <-a.stopping:
	case <-time.After(delay):
	}
}

// gathers reports whether something is pending that can wait for more to share its
// transaction.
func (a *applier) gathers() bool { return !isClosed(a.stopping) && a.queue.gathers() }

// applyPending applies what is pending, until nothing is or the rest can wait. It
// retries what fails: it is durable, so it must not be dropped.
func (a *applier) applyPending() {
	for pause := 100 * time.Millisecond; ; {
		operations := a.queue.head(maxApplyRows)
		if len(operations) == 0 {
			return
		}
		err := a.upkeep.applyOrRebuild(context.Background(), operations)
		a.upkeep.settle(err)
		if err == nil && a.gathers() {
			signal(a.queue.wake) // for what came in the meantime
			return
		}
		if err == nil {
			continue
		}
		a.log.Error("cannot apply logs to the table", "error", err, "pending", len(operations))
		select {
		case <-a.stopping:
			return // the journal keeps them for the next start
		case <-time.After(pause):
			pause = min(2*pause, 5*time.Second)
		}
	}
}

// mend rebuilds the table after a reader found damage.
func (a *applier) mend(ctx context.Context, cause error) {
	err := a.upkeep.rebuild(ctx, cause)
	select {
	case <-a.alarms.table: // reported before it was rebuilt
	default:
	}
	a.upkeep.settle(err)
	if err != nil {
		a.log.Error("cannot rebuild the log table", "error", err)
	}
}

// mendText rebuilds the damaged part of the text index from the journal, if
// there is any. It tries again until it succeeds, because nothing can be applied
// without the index.
func (a *applier) mendText(ctx context.Context) {
	cause := a.texts.current().Damaged()
	if cause == nil {
		return
	}
	a.log.Error("the text index is damaged; it is rebuilt from the journal", "error", cause)
	a.queue.setRebuilding(true)
	defer a.queue.setRebuilding(false)
	for pause := 100 * time.Millisecond; ; pause = min(2*pause, 5*time.Second) {
		err := a.texts.rebuild(ctx)
		if err == nil {
			a.log.Info("the text index is rebuilt")
			return
		}
		a.log.Error("cannot rebuild the text index", "error", err)
		select {
		case <-a.stopping:
			return // the next start continues
		case <-time.After(pause):
		}
	}
}

// do calls a task in the applying goroutine, which is the only one that
// changes the table.
func (a *applier) do(ctx context.Context, task func() error) error {
	select {
	case a.tasks <- task:
		return <-a.taskDone
	case <-a.stopping:
		return errStopping()
	case <-ctx.Done():
		return fmt.Errorf("reclaim storage: %w", ctx.Err())
	}
}
