package run

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/job"
)

// storedRun stores the progress of a run while the process holds the job.
type storedRun struct {
	service *Service
	task    *job.Task
	run     Run
}

func (r *storedRun) save(ctx context.Context, changed []NodeState, also func(ctx context.Context) error) error {
	err := r.service.options.Store.InTx(ctx, func(ctx context.Context) error {
		if err := r.task.Hold(ctx); err != nil {
			return err
		}
		if err := r.service.options.Store.SaveRunNodes(ctx, r.run.ID, changed); err != nil {
			return err
		}
		return also(ctx)
	})
	if err != nil {
		return fmt.Errorf("save run %d: %w", r.run.ID, err)
	}
	return nil
}

func nothing(context.Context) error { return nil }

func (r *storedRun) began(ctx context.Context, changed []NodeState) error {
	return r.save(ctx, changed, nothing)
}

func (r *storedRun) progressed(ctx context.Context, changed []NodeState) error {
	if len(changed) == 0 {
		return nil
	}
	return r.save(ctx, changed, nothing)
}

// ended stores the end of the run and of the job, unless there is still a
// callback to send.
func (r *storedRun) ended(ctx context.Context, changed []NodeState, became Status) error {
	return r.save(ctx, changed, func(ctx context.Context) error {
		if err := r.service.options.Store.EndRun(ctx, r.run.ID, became, r.service.options.Clock()); err != nil {
			return err
		}
		if r.run.CallbackURL != "" {
			return nil
		}
		return r.task.End(ctx)
	})
}
