package api_test

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/live"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/webhook"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// acceptAll is a sender that reaches nobody.
type acceptAll struct{}

func (acceptAll) Send(context.Context, webhook.Message) webhook.Attempt {
	return webhook.Attempt{Status: 200, Response: "ok"}
}

func newWebhooks(jobs job.Queue, c *catalog.Catalog, now *check.Clock) *webhook.Service {
	return webhook.NewService(webhook.Options{
		Jobs: jobs, Store: c.Webhooks, Box: testBox, CheckURL: outbound.New(outbound.Options{}).CheckURL, Sender: acceptAll{}, Clock: now.Now,
	})
}

// newSavedExports returns the service for saved exports. Their folder does not exist,
// so that all runs fail.
func newSavedExports(jobs job.Queue, c *catalog.Catalog, exports *export.Service, now *check.Clock) *exporter.Service {
	return exporter.NewService(exporter.Options{
		Jobs: jobs, Store: c.Exports, Exports: exports, Box: testBox, CheckURL: outbound.New(outbound.Options{}).CheckURL, Folders: []string{"/nowhere/exports"}, Clock: now.Now,
		OpenBucket: func(o blob.BucketOptions) (blob.Store, error) { return blob.NewBucket(o) },
	})
}

// jobServices are further services whose work is done by jobs.
type jobServices struct {
	evals      *eval.Service
	repricings *repricing.Service
	hooks      *webhook.Service
	imports    *importer.Service
	alerts     *alert.Service
	deletions  *deletion.Service
	exports    *exporter.Service
	abTests    *abtest.Service
}

// newRuns returns the run service, with steps that need neither models nor
// code nor other servers, and the channels for waiting. Evaluations and
// re-pricings are run with it too.
func newRuns(
	t *testing.T, jobs *job.Runner, c *catalog.Catalog, definitions *workflow.Service, now *check.Clock, with jobServices,
) (*run.Service, *live.Server) {
	t.Helper()
	runs := run.NewService(run.Options{
		Jobs: jobs, Store: c.Runs, Definitions: definitions, Env: func(run.Scope) step.Env { return step.Env{} },
		CheckURL: outbound.New(outbound.Options{}).CheckURL, Clock: now.Now,
		Post: func(context.Context, string, []byte) error { return nil },
	})
	channels, err := live.New(live.Options{Messages: runs, Key: []byte("a key of thirty-two bytes or more"), Clock: now.Now})
	check.OK(t, err)
	t.Cleanup(func() { check.OK(t, channels.Close(context.Background())) })
	check.OK(t, jobs.Start(t.Context(), map[job.Kind]job.Worker{
		run.Kind: runs, eval.Kind: with.evals, repricing.Kind: with.repricings, deletion.Kind: with.deletions,
		webhook.Kind: with.hooks, importer.Kind: with.imports, alert.Kind: with.alerts, exporter.Kind: with.exports, abtest.Kind: with.abTests,
	}))
	t.Cleanup(func() { jobs.Stop(context.Background()) })
	return runs, channels
}
