package abtest

import (
	"context"
	"slices"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/webhook"
)

// Kind is the kind of the jobs, whose subject is an A/B test. A test with a guard has
// a job until the guard has stopped it.
const Kind job.Kind = "ab_test"

// Create adds an A/B test, and watches it if it has a guard.
func (s *Service) Create(ctx context.Context, workspace int64, in prompt.NewABTest) (*prompt.ABTest, error) {
	return s.watched(ctx, func(ctx context.Context) (*prompt.ABTest, error) { return s.tests.CreateABTest(ctx, workspace, in) })
}

// Change changes the split of a test, and watches it if it has a guard.
func (s *Service) Change(ctx context.Context, workspace, id int64, split prompt.Split, author *string) (*prompt.ABTest, error) {
	return s.watched(ctx, func(ctx context.Context) (*prompt.ABTest, error) {
		return s.tests.SetSplit(ctx, workspace, id, split, author)
	})
}

// watched makes a change of a test, and a job for its guard in the same transaction.
func (s *Service) watched(ctx context.Context, change func(context.Context) (*prompt.ABTest, error)) (test *prompt.ABTest, err error) {
	err = s.queue.InTx(ctx, func(ctx context.Context) error {
		if test, err = change(ctx); err != nil || test.Split.Guard == nil {
			return err
		}
		return s.queue.EnsureJob(ctx, test.Entity.WorkspaceID, Kind, test.Entity.ID)
	})
	if err != nil {
		return nil, err
	}
	if test.Split.Guard != nil {
		s.jobs.Wake()
	}
	return test, nil
}

// Work compares the versions of a test once, stops the test if one does worse than
// its guard allows, and otherwise leaves the job until the next time.
func (s *Service) Work(ctx context.Context, task *job.Task) error {
	ctx = access.AsSystem(ctx)
	results, err := s.Results(ctx, task.Workspace, task.Subject, nil)
	if fault.Is(err, fault.NotFound) {
		return s.end(ctx, task)
	}
	if err != nil {
		return err
	}
	if !guarded(results.Test) {
		return s.end(ctx, task)
	}
	stopped := breach(results)
	return s.queue.InTx(ctx, func(ctx context.Context) error {
		if err := task.Hold(ctx); err != nil {
			return err
		}
		current, err := s.tests.ABTest(ctx, task.Workspace, task.Subject)
		switch {
		case fault.Is(err, fault.NotFound):
			return task.End(ctx)
		case err != nil:
			return err
		case !current.Entity.UpdatedAt.Equal(results.Test.Entity.UpdatedAt):
			return task.Leave(ctx, 0) // it was changed in the meantime
		case stopped == nil:
			return task.Leave(ctx, s.every)
		}
		if err := s.stop(ctx, current, results.Baseline, stopped); err != nil {
			return err
		}
		return task.End(ctx)
	})
}

// stop stops a test and tells people about it.
func (s *Service) stop(ctx context.Context, t *prompt.ABTest, baseline int64, why *prompt.Stopped) error {
	if _, err := s.tests.StopABTest(ctx, t, baseline, *why); err != nil {
		return err
	}
	return s.notices.TestStopped(ctx, webhook.StoppedTest{
		Workspace: t.Entity.WorkspaceID, Test: t.Entity.ID, Prompt: t.PromptID, Label: t.LabelName,
		Version: why.Version, Baseline: baseline, Reason: why.Reason,
	})
}

// end ends the job, unless the test got a guard in the meantime: anyone who changes a test
// locks the job, too.
func (s *Service) end(ctx context.Context, task *job.Task) error {
	return s.queue.InTx(ctx, func(ctx context.Context) error {
		if err := task.Hold(ctx); err != nil {
			return err
		}
		current, err := s.tests.ABTest(ctx, task.Workspace, task.Subject)
		switch {
		case err == nil && guarded(current):
			return task.Leave(ctx, 0)
		case err != nil && !fault.Is(err, fault.NotFound):
			return err
		}
		return task.End(ctx)
	})
}

func guarded(t *prompt.ABTest) bool { return t.Split.Guard != nil && t.Split.Stopped == nil }

// breach returns why a guard stops a test, nil if it does not.
func breach(r *Results) *prompt.Stopped {
	at := slices.IndexFunc(r.Arms, func(a Arm) bool { return a.Version == r.Baseline })
	base := &r.Arms[at]
	for i := range r.Arms {
		arm := &r.Arms[i]
		for _, f := range arm.Findings {
			if bound, checked := boundOf(r.Test.Split.Guard, &f, base); checked && f.exceeds(bound) {
				return &prompt.Stopped{At: r.Until, From: r.From, Version: arm.Version, Reason: f.Text}
			}
		}
	}
	return nil
}

// boundOf returns how far a number may be from that of the baseline, and whether
// the guard says so.
func boundOf(g *prompt.Guard, f *Finding, base *Arm) (bound float64, checked bool) {
	relative := func(share *float64, of *Estimate) (float64, bool) {
		if share == nil {
			return 0, false
		}
		return *share * of.Value, true
	}
	switch {
	case f.Measure == "errors" && g.ErrorRate != nil:
		return *g.ErrorRate, true
	case f.Measure == "cost":
		return relative(g.Cost, base.Cost)
	case f.Measure == "latency":
		return relative(g.Latency, base.Latency)
	case f.Measure == "score" && g.Score != nil:
		return *g.Score, f.Score == g.ScoreName
	}
	return 0, false
}

// exceeds reports whether a version is clearly worse, and by more than a bound.
func (f *Finding) exceeds(bound float64) bool {
	distance := f.Difference.Value
	if f.Measure == "score" {
		distance = -distance
	}
	return f.Outcome == Worse && distance > bound
}

// every is how often a test is compared.
const every = time.Minute
