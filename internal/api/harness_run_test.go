package api_test

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/live"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// newRuns returns the run service, with steps that need neither models nor
// code nor other servers, and the channels for waiting. Evaluations and
// re-pricings are run with it too.
func newRuns(
	t *testing.T, c *catalog.Catalog, definitions *workflow.Service, evals *eval.Service, repricings *repricing.Service, now *check.Clock,
) (*run.Service, *live.Server) {
	t.Helper()
	runs := run.NewService(run.Options{
		Store: c.Runs, Definitions: definitions, Env: func(run.Scope) step.Env { return step.Env{} },
		CheckURL: outbound.New(outbound.Options{}).CheckURL, Clock: now.Now,
		Post: func(context.Context, string, []byte) error { return nil },
	})
	channels, err := live.New(live.Options{Messages: runs, Key: []byte("a key of thirty-two bytes or more"), Clock: now.Now})
	check.OK(t, err)
	t.Cleanup(func() { check.OK(t, channels.Close(context.Background())) })
	jobs := job.NewRunner(job.Options{
		Store: c.Runs, Workers: map[job.Kind]job.Worker{run.Kind: runs, eval.Kind: evals, repricing.Kind: repricings}, Owner: "test", Alone: true,
	})
	runs.UseJobs(jobs)
	evals.UseJobs(jobs)
	repricings.UseJobs(jobs)
	check.OK(t, jobs.Start(t.Context()))
	t.Cleanup(func() { jobs.Stop(context.Background()) })
	return runs, channels
}
