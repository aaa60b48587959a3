package storetest

import (
	"context"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/runs"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

var loadCases = []testCase{
	{"background work of a workspace", func(s *store) {
		s.equal(check.Must(s.Runs.Load(s.ctx, s.workspace))(s.t), runs.Load{})
		_, version := s.workflow("flow")
		early := s.newRun(version)
		early.CreatedAt = noon.Add(-time.Hour)
		first, second := s.run(s.newRun(version)), s.run(early)
		report := s.reportRun(s.evaluation("report"), "batch")
		add := func(kind job.Kind, subject int64, lease job.Lease) {
			s.ok(s.InTx(s.ctx, func(ctx context.Context) error {
				_, err := s.Runs.AddJob(ctx, job.Job{Workspace: s.workspace, Kind: kind, Subject: subject}, lease)
				return err
			}))
		}
		held := job.Lease{Owner: "me", For: time.Hour}
		add(run.Kind, first.ID, held)
		s.equal(check.Must(s.Runs.Load(s.ctx, s.workspace))(s.t), runs.Load{Running: 1})
		add(eval.Kind, report.ID, job.Lease{})
		s.equal(check.Must(s.Runs.Load(s.ctx, s.workspace))(s.t), runs.Load{Running: 1, Waiting: 1, WaitingSince: &report.CreatedAt})
		add(run.Kind, second.ID, job.Lease{Owner: "gone", For: -time.Hour})
		s.equal(check.Must(s.Runs.Load(s.ctx, s.workspace))(s.t), runs.Load{Running: 1, Waiting: 2, WaitingSince: &second.CreatedAt})
		s.equal(check.Must(s.Runs.Load(s.ctx, s.other))(s.t), runs.Load{})
	}},
}
