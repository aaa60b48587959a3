package alert

import (
	"context"
	"errors"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
)

// Kind is the kind of the jobs, whose subject is an alert. An enabled alert has a job.
const Kind job.Kind = "alert"

const (
	// maxEvaluation limits the time of an evaluation.
	maxEvaluation = time.Minute
	// maxEvaluations limits the evaluations of a workspace at the same time, and
	// maxWaiting those that wait; a workspace has fewer alerts.
	maxEvaluations = 2
	maxWaiting     = 1000
)

// Work evaluates an alert once, and leaves the job until it is due again. After a
// pause of the server, only the current window is computed.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	found, err := s.options.Store.GetAlert(ctx, task.Workspace, task.Subject)
	if fault.Is(err, fault.NotFound) || err == nil && !found.Enabled {
		return s.end(ctx, task)
	}
	if err != nil {
		return err
	}
	end, err := s.turns.Acquire(ctx, task.Workspace)
	if err != nil {
		return err
	}
	defer end()
	now := s.options.Clock()
	out := s.evaluate(ctx, &found, now)
	if ctx.Err() != nil {
		return context.Cause(ctx) // it says nothing about the alert
	}
	return s.save(ctx, task, &found, out, now)
}

// end ends the job, unless the alert was enabled in the meantime: anyone who changes an alert
// locks the job, too.
func (s *Service) end(ctx context.Context, task *job.Task) error {
	return s.options.Store.InTx(ctx, func(ctx context.Context) error {
		if err := task.Hold(ctx); err != nil {
			return err
		}
		current, err := s.options.Store.GetAlert(ctx, task.Workspace, task.Subject)
		switch {
		case err == nil && current.Enabled:
			return task.Leave(ctx, 0)
		case err != nil && !fault.Is(err, fault.NotFound):
			return err
		}
		return task.End(ctx)
	})
}

// evaluate returns what an evaluation leads to.
func (s *Service) evaluate(ctx context.Context, a *Alert, now time.Time) Outcome {
	limited, cancel := context.WithTimeout(ctx, maxEvaluation)
	defer cancel()
	r, err := s.read(limited, a.Workspace, &a.Content, now, 0)
	s.evaluated.Add(1)
	if err == nil {
		return a.after(r, now)
	}
	s.failed.Add(1)
	if ctx.Err() == nil {
		s.options.Logger.Warn("cannot evaluate alert", "alert", a.ID, "workspace", a.Workspace, "error", err)
	}
	return a.afterFailure(reason(err, limited.Err() != nil), now)
}

// reason returns why an evaluation failed, as clients may know it.
func reason(err error, late bool) string {
	var known *fault.Error
	switch {
	case late:
		return "The query took longer than " + maxEvaluation.String() + "; narrow its filters or its window"
	case errors.As(err, &known) && known.Message != "":
		return known.Message
	}
	return "The value could not be computed; see the server log"
}

// save stores an outcome and leaves the job until the next evaluation. If the alert
// was changed in the meantime, it is evaluated again at once instead.
func (s *Service) save(ctx context.Context, task *job.Task, a *Alert, out Outcome, now time.Time) error {
	saved := false
	err := s.options.Store.InTx(ctx, func(ctx context.Context) error {
		saved = false
		if err := task.Hold(ctx); err != nil {
			return err
		}
		current, err := s.options.Store.GetAlert(ctx, task.Workspace, task.Subject)
		switch {
		case fault.Is(err, fault.NotFound):
			return task.End(ctx)
		case err != nil:
			return err
		case !current.UpdatedAt.Equal(a.UpdatedAt):
			return task.Leave(ctx, 0)
		}
		if err := s.options.Store.SaveOutcome(ctx, a, out); err != nil {
			return err
		}
		saved = true
		return task.Leave(ctx, untilNext(a, now))
	})
	if err == nil && saved && out.Notice != "" {
		s.told.Add(1)
		s.options.Jobs.Wake() // the deliveries are due
	}
	return err
}

// untilNext returns the time until the next evaluation. Alerts with the same schedule
// are spread over it by their ids, and keep their places.
func untilNext(a *Alert, now time.Time) time.Duration {
	every := int64(a.Every / time.Second)
	offset := a.ID * 37 % every
	passed := (now.Unix() - offset) % every
	return time.Duration(every-passed) * time.Second
}
