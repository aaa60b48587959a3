package repricing

import (
	"context"

	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// resumable is how re-pricings are loaded and saved.
func (s *Service) resumable() job.Resumable[Repricing] {
	return job.Resumable[Repricing]{
		InTx: s.store.InTx, Load: s.store.GetRepricing, Active: (*Repricing).Active,
		Save: func(ctx context.Context, now, next Repricing) error {
			return s.store.SaveRepricing(ctx, now.State, next, "")
		},
	}
}

// Work runs or resumes a job.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	return s.resumable().Run(ctx, task, func(ctx context.Context, w *job.Work[Repricing]) error {
		x := &execution{Work: w, service: s}
		if x.Now.State == Reverting {
			return x.revert(ctx)
		}
		return x.run(ctx)
	})
}

// execution is the work on a re-pricing.
type execution struct {
	*job.Work[Repricing]
	service *Service
	query   query.Input
	rule    rule
}

// run prices logs part by part. A part is counted before it is written, so that
// the counts are right when the process is lost in between: the next one writes
// the part again.
func (x *execution) run(ctx context.Context) error {
	err := x.prepare()
	if err == nil {
		err = x.repeat()
	}
	if err == nil {
		err = x.Parts(ctx, x.part)
	}
	failure, permanent := job.Failure(err)
	switch {
	case err == nil:
		return x.end(Done, "")
	case job.IsCancelled(ctx, err):
		return x.end(Cancelled, "")
	case permanent:
		return x.end(Failed, failure)
	default:
		return err
	}
}

// prepare reads the query and the prices.
func (x *execution) prepare() (err error) {
	in := Input{Query: x.Now.Query, IncludeSent: x.Now.IncludeSent}
	if x.query, err = in.query(); err != nil {
		return err
	}
	x.rule.includeSent = x.Now.IncludeSent
	x.rule.table, err = x.service.prices.Table(x.Always, x.Now.Workspace)
	return err
}

func (x *execution) usages(after, last int64) ([]query.LogUsage, error) {
	return x.service.logs.Usages(x.Always, x.Now.Workspace, x.query, after, last, x.service.partLogs)
}

// repeat writes the part again that a lost process had counted.
func (x *execution) repeat() error {
	for after := x.Now.Done; after < x.Now.Upto; {
		logs, err := x.usages(after, x.Now.Upto)
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
	logs, err := x.usages(x.Now.Upto, x.Now.Last)
	if err != nil || len(logs) == 0 {
		return false, err
	}
	prices, tally := x.rule.prices(logs)
	next := x.Now
	next.Done, next.Upto = x.Now.Upto, logs[len(logs)-1].ID
	next.add(tally)
	if err := x.Save(next); err != nil {
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

// reprice writes a change. New logs have precedence: it waits while there are too
// many of them.
func (x *execution) reprice(change reqlog.PriceChange) error {
	change.Workspace, change.Repricing = x.Now.Workspace, x.Now.ID
	return x.Write(func() error { return x.service.logs.Reprice(x.Always, change) })
}

// end stores the end and ends the job.
func (x *execution) end(state State, failure string) error {
	next, now := x.Now, x.service.clock()
	next.State, next.Failure, next.EndedAt, next.Done = state, failure, &now, next.Upto
	return x.End(next)
}

// revert returns logs to the prices that they were written with, one range of
// ids after the other. Doing it twice changes nothing.
func (x *execution) revert(ctx context.Context) error {
	for x.Now.Undone < x.Now.Upto {
		if err := x.ContinueAlways(ctx); err != nil {
			return err
		}
		next := x.Now
		next.Undone = min(x.Now.Undone+x.service.partIDs, x.Now.Upto)
		if err := x.reprice(reqlog.PriceChange{First: x.Now.Undone + 1, Last: next.Undone}); err != nil {
			return err
		}
		// A read waits until the change is applied, so that changes do not pile up.
		if _, err := x.usages(next.Undone, next.Undone); err != nil {
			return err
		}
		if err := x.Save(next); err != nil {
			return err
		}
	}
	return x.end(Reverted, "")
}
