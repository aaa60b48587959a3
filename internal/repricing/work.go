package repricing

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Work runs or resumes a job.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	always := context.WithoutCancel(ctx)
	r, err := s.store.GetRepricing(always, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && !r.Active() {
		return s.store.InTx(always, task.End) // deleted with its workspace, or ended
	}
	if err != nil {
		return err
	}
	x := &execution{service: s, task: task, r: r, always: always}
	if r.State == Reverting {
		err = x.revert(ctx)
	} else {
		err = x.run(ctx)
	}
	switch {
	case errors.Is(err, job.ErrLost) || errors.Is(context.Cause(ctx), job.ErrLost):
		return job.ErrLost
	case errors.Is(context.Cause(ctx), job.ErrStopped):
		return job.ErrStopped
	default:
		return err
	}
}

// execution is the work on a re-pricing.
type execution struct {
	service *Service
	task    *job.Task
	r       Repricing
	query   reqlog.QueryInput
	rule    rule
	// always is the context of work that must not be interrupted.
	always context.Context // lives as long as the job
}

// run prices logs part by part. A part is counted before it is written, so that
// the counts are right when the process is lost in between: the next one writes
// the part again.
func (x *execution) run(ctx context.Context) error {
	err := x.prepare()
	if err == nil {
		err = x.repeat()
	}
	for more := true; err == nil && more; {
		if halted := x.halted(ctx); halted != nil {
			return halted
		}
		if errors.Is(context.Cause(ctx), job.ErrCancelled) {
			return x.end(Cancelled, "")
		}
		more, err = x.part()
	}
	switch {
	case err == nil:
		return x.end(Done, "")
	case permanent(err):
		return x.end(Failed, err.Error())
	default:
		return err
	}
}

// permanent reports whether trying again would fail in the same way.
func permanent(err error) bool {
	return fault.Is(err, fault.BadRequest) || fault.Is(err, fault.Invalid) || fault.Is(err, fault.NotFound)
}

// halted returns the reason to leave the job to another process, nil if there is
// none.
func (x *execution) halted(ctx context.Context) error {
	select {
	case <-x.task.Stopping():
		return job.ErrStopped
	default:
	}
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, job.ErrCancelled) {
		return cause
	}
	return nil
}

// prepare reads the query and the prices.
func (x *execution) prepare() (err error) {
	in := Input{Query: x.r.Query, IncludeSent: x.r.IncludeSent}
	if x.query, err = in.query(); err != nil {
		return err
	}
	x.rule.includeSent = x.r.IncludeSent
	x.rule.table, err = x.service.prices.Table(x.always, x.r.Workspace)
	return err
}

func (x *execution) usages(after, last int64) ([]reqlog.LogUsage, error) {
	return x.service.logs.Usages(x.always, x.r.Workspace, x.query, after, last, x.service.partLogs)
}

// repeat writes the part again that a lost process had counted.
func (x *execution) repeat() error {
	for after := x.r.Done; after < x.r.Upto; {
		logs, err := x.usages(after, x.r.Upto)
		if err != nil || len(logs) == 0 {
			return err
		}
		prices, _ := x.rule.prices(logs)
		if err := x.write(prices); err != nil {
			return err
		}
		after = logs[len(logs)-1].ID
	}
	return nil
}

// part counts and writes the next part, and reports whether there was one.
func (x *execution) part() (more bool, err error) {
	logs, err := x.usages(x.r.Upto, x.r.Last)
	if err != nil || len(logs) == 0 {
		return false, err
	}
	prices, tally := x.rule.prices(logs)
	next := x.r
	next.Done, next.Upto = x.r.Upto, logs[len(logs)-1].ID
	next.add(tally)
	if err := x.save(next); err != nil {
		return false, err
	}
	return true, x.write(prices)
}

func (x *execution) write(prices []reqlog.NewPrice) error {
	if len(prices) == 0 {
		return nil
	}
	return x.reprice(reqlog.PriceChange{Prices: prices})
}

const (
	// attempts is how often a change is tried while the store accepts no more, and
	// pause the time in between. Then the job waits longer.
	attempts = 20
	pause    = 500 * time.Millisecond
)

// reprice writes a change. New logs have precedence: it waits while there are too
// many of them.
func (x *execution) reprice(change reqlog.PriceChange) error {
	change.Workspace, change.Repricing = x.r.Workspace, x.r.ID
	for attempt := 1; ; attempt++ {
		err := x.service.logs.Reprice(x.always, change)
		if attempt == attempts || !fault.Is(err, fault.Unavailable) {
			return err
		}
		select {
		case <-x.task.Stopping():
			return job.ErrStopped
		case <-time.After(pause):
		}
	}
}

// save stores the progress while the process holds the job.
func (x *execution) save(next Repricing) error {
	err := x.service.store.InTx(x.always, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		return x.service.store.SaveRepricing(ctx, x.r.State, next, "")
	})
	if err == nil {
		x.r = next
	}
	return err
}

// end stores the end and ends the job.
func (x *execution) end(state State, failure string) error {
	next, now := x.r, x.service.clock()
	next.State, next.Failure, next.EndedAt, next.Done = state, failure, &now, next.Upto
	return x.service.store.InTx(x.always, func(ctx context.Context) error {
		if err := x.task.Hold(ctx); err != nil {
			return err
		}
		if err := x.service.store.SaveRepricing(ctx, x.r.State, next, ""); err != nil {
			return err
		}
		return x.task.End(ctx)
	})
}

// revert returns logs to the prices that they were written with, one range of
// ids after the other. Doing it twice changes nothing.
func (x *execution) revert(ctx context.Context) error {
	for x.r.Undone < x.r.Upto {
		if halted := x.halted(ctx); halted != nil {
			return halted
		}
		next := x.r
		next.Undone = min(x.r.Undone+x.service.partIDs, x.r.Upto)
		if err := x.reprice(reqlog.PriceChange{First: x.r.Undone + 1, Last: next.Undone}); err != nil {
			return err
		}
		// A read waits until the change is applied, so that changes do not pile up.
		if _, err := x.usages(next.Undone, next.Undone); err != nil {
			return err
		}
		if err := x.save(next); err != nil {
			return err
		}
	}
	return x.end(Reverted, "")
}
