// Package work builds the services whose work runs in the background, and runs it:
// workflows, evaluations, imports, exports, deletions, alerts and webhooks.
package work

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/app/logs"
	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/app/registry"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/deletion"
	demo "github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/live"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/webhook"
	"github.com/promptuary/promptuary/internal/webhook/send"
	"github.com/promptuary/promptuary/internal/workbench"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// Options are what the work is built on.
type Options struct {
	Config   config.Config
	Catalog  *catalog.Catalog
	Registry *registry.Registry
	Logs     *logs.Logs
	// Installation is the id of the installation.
	Installation string
	// Box seals secrets, and TokenKey signs tokens that every process sharing the
	// catalog accepts.
	Box      *secret.Box
	TokenKey []byte
	// OrLater makes a write of the start, later if the disk is full.
	OrLater func(ctx context.Context, what string, do func(context.Context) error) error
	Logger  *slog.Logger
}

// Work has the services.
type Work struct {
	cfg          config.Config
	log          *slog.Logger
	catalog      *catalog.Catalog
	registry     *registry.Registry
	logs         *logs.Logs
	installation string
	box          *secret.Box
	// allowed are the private addresses that calls may reach.
	allowed outbound.Allowed

	// texts is the queue of expressions and paths over texts.
	texts     *fair.Queue
	outbound  *outbound.Client
	bench     *workbench.Bench
	traces    *runtrace.Writer
	jobs      *job.Runner
	workflows *workflow.Service
	runs      *run.Service
	live      *live.Server

	datasets    *dataset.Service
	evaluations *eval.Service
	playground  *playground.Service
	repricings  *repricing.Service
	deletions   *deletion.Service
	imports     *importer.Service
	webhooks    *webhook.Service
	exports     *export.Service
	// savedExports run exports in the background, and buckets makes their calls.
	savedExports *exporter.Service
	buckets      *outbound.Client
	sender       send.Router
	alerts       *alert.Service
	abTests      *abtest.Service

	// stopFollowing ends what follows retention rules and schedules.
	stopFollowing context.CancelFunc
	following     sync.WaitGroup
}

// Open builds the services and resumes interrupted work.
func Open(ctx context.Context, o Options) (_ *Work, err error) {
	w := &Work{
		cfg: o.Config, log: o.Logger, catalog: o.Catalog, registry: o.Registry, logs: o.Logs,
		installation: o.Installation, box: o.Box, texts: newTexts(),
		jobs: job.NewRunner(job.Options{
			Store: o.Catalog.Runs, Owner: processName(), Alone: !o.Config.SharesCatalog(), Total: o.Config.Jobs,
			Each: o.Config.WorkspaceJobs, Logger: o.Logger,
		}),
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, w.Close(context.WithoutCancel(ctx)))
		}
	}()
	if w.allowed, err = outbound.ParseAllowed(w.cfg.AllowTargets); err != nil {
		return nil, fmt.Errorf("option allow-targets: %w", err)
	}
	if err := w.openDatasets(ctx, o.OrLater); err != nil {
		return nil, err
	}
	w.openModels()
	if err := w.openRuns(o.TokenKey); err != nil {
		return nil, err
	}
	if err := w.openData(); err != nil {
		return nil, err
	}
	w.openWatch()
	if err := w.jobs.Start(ctx, w.workers()); err != nil {
		return nil, err
	}
	w.follow(ctx)
	return w, nil
}

// maxModelAnswer limits the size of a response of a model.
const maxModelAnswer = 32 << 20

// openModels builds what calls models, and the environment of steps.
func (w *Work) openModels() {
	logs, prompts := w.logs.Service, w.registry.Prompts
	w.outbound = outbound.New(outbound.Options{Allow: w.allowed})
	models := client.New(client.Options{
		Keys:    client.NewKeys(w.registry.EnvVars, os.Getenv),
		Models:  pricing.Models,
		Guarded: outbound.New(outbound.Options{Allow: w.allowed, MaxBytes: maxModelAnswer}).HTTP(),
	})
	w.bench = workbench.New(workbench.Options{
		Prompts: prompts, Models: models, Logs: logs, Scripts: w.registry.Scripts, Tools: w.registry.Tools, HTTP: w.outbound,
		Vault: w.registry.Vault, Variables: w.registry.EnvVars, Logger: w.log,
	})
	w.traces = runtrace.NewWriter(runtrace.Options{Store: logs, Logger: w.log})
	w.playground = playground.NewService(playground.Options{Prompts: prompts, Models: models, Logs: logs, Logger: w.log})
}

// openRuns builds the services that run workflows and evaluations.
func (w *Work) openRuns(tokenKey []byte) (err error) {
	vault := w.registry.Vault
	w.workflows = workflow.NewService(w.catalog.Entities, workflow.StepTypes{Vault: vault}, workflow.RandomID)
	w.runs = run.NewService(run.Options{
		Jobs: w.jobs, Store: w.catalog.Runs, Definitions: w.workflows, Env: w.env, Post: w.post, CheckURL: w.outbound.CheckURL,
		Ended: w.ended, Traces: w.traces, Logger: w.log,
	})
	if w.live, err = live.New(live.Options{Messages: w.runs, Key: tokenKey, Logger: w.log}); err != nil {
		return err
	}
	w.evaluations = eval.NewService(eval.Options{
		Jobs: w.jobs, Entities: w.catalog.Entities, Store: w.catalog.Evaluations, Datasets: w.datasets, Logs: w.logs.Service,
		Env: w.columnEnv, Traces: w.traces, Vault: vault, Logger: w.log,
	})
	return nil
}

// openWatch builds the services that watch request logs and tell of events.
func (w *Work) openWatch() {
	logs := w.logs.Service
	w.sender = send.Router{HTTP: send.NewHTTP(w.allowed, 0), Mail: newMail(&w.cfg)}
	w.alerts = alert.NewService(alert.Options{Jobs: w.jobs, Store: w.catalog.Alerts, Logs: logs, Logger: w.log})
	w.abTests = abtest.NewService(abtest.Options{
		Jobs: w.jobs, Tests: w.registry.Prompts, Logs: logs, Queue: w.catalog.Runs, Notices: w.catalog.Webhooks,
	})
	w.webhooks = webhook.NewService(webhook.Options{
		Jobs: w.jobs, Store: w.catalog.Webhooks, Box: w.box, CheckURL: w.sender.CheckURL, Sender: w.sender,
	})
}

// newMail returns the mail server, nil if there is none.
func newMail(cfg *config.Config) *send.Mail {
	if cfg.SMTPAddr == "" {
		return nil
	}
	return &send.Mail{
		Addr: cfg.SMTPAddr, From: cfg.SMTPFrom, User: cfg.SMTPUser, Password: cfg.SMTPPassword, Security: cfg.SMTPSecurity,
	}
}

// workers returns the services that run jobs.
func (w *Work) workers() map[job.Kind]job.Worker {
	return map[job.Kind]job.Worker{
		run.Kind: w.runs, eval.Kind: w.evaluations, repricing.Kind: w.repricings, deletion.Kind: w.deletions, webhook.Kind: w.webhooks,
		alert.Kind: w.alerts, abtest.Kind: w.abTests, importer.Kind: w.imports, exporter.Kind: w.savedExports,
	}
}

// follow starts what follows retention rules and schedules.
func (w *Work) follow(ctx context.Context) {
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.stopFollowing = stop
	w.following.Go(guard.Loop("retention", following.Done(), func() { w.deletions.FollowRetention(following, w.log) }))
	w.following.Go(guard.Loop("exports", following.Done(), func() { w.savedExports.Follow(following) }))
}

// processName returns a unique name for this process.
func processName() string {
	host, _ := os.Hostname() // only informative
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text())
}

// ended notifies clients that are waiting on the channels.
func (w *Work) ended(workspace int64, channels ...string) {
	for _, channel := range channels {
		w.live.Ended(workspace, channel)
	}
}

// Live returns the channels that clients wait on.
func (w *Work) Live() *live.Server { return w.live }

// Routes adds the services to those of the operations.
func (w *Work) Routes(s *api.Services) {
	s.Logs.Repricings = w.repricings
	s.Data.Exports, s.Data.SavedExports, s.Data.Imports, s.Data.Deletions = w.exports, w.savedExports, w.imports, w.deletions
	s.Watch.Alerts, s.Watch.Webhooks = w.alerts, w.webhooks
	s.Registry.ABTests = w.abTests
	s.Work.Workflows, s.Work.Runs, s.Work.Datasets, s.Work.Evaluations = w.workflows, w.runs, w.datasets, w.evaluations
	s.Work.Playground, s.Work.Live, s.Work.Exports = w.playground, w.live, w.exports
	s.Admin.Exports = w.exports
}

// Demo adds the services to those that create demo data.
func (w *Work) Demo(s *demo.Services) {
	s.Workflows, s.Runs, s.Datasets, s.Evaluations = w.workflows, w.runs, w.datasets, w.evaluations
}

// Queues returns the queues in which workspaces take turns.
func (w *Work) Queues() []metrics.Queue {
	return []metrics.Queue{
		{Name: "texts", Queue: w.texts}, {Name: "uploads", Queue: w.datasets.Uploads()}, {Name: "datasets", Queue: w.datasets.Builds()},
		{Name: "exports", Queue: w.exports.Queue()}, {Name: "saved_exports", Queue: w.savedExports.Queue()},
		{Name: "jobs", Queue: w.jobs.Slots()},
	}
}

// Metrics adds the metrics of the work.
func (w *Work) Metrics(m *metrics.Set) {
	m.Counter("promptuary_run_spans_dropped_total", "Spans of workflow and evaluation runs that could not be stored.",
		func() float64 { return float64(w.traces.Dropped()) })
	hooks, alerts, exports := w.webhooks.Stats, w.alerts.Stats, w.savedExports.Stats
	m.Counter("promptuary_webhook_deliveries_total", "Events that targets of webhooks accepted.",
		func() float64 { return float64(hooks().Accepted) })
	m.Counter("promptuary_webhook_failures_total", "Attempts to deliver events that failed.",
		func() float64 { return float64(hooks().Failed) })
	m.Counter("promptuary_alert_evaluations_total", "Evaluations of alerts.",
		func() float64 { return float64(alerts().Evaluated) })
	m.Counter("promptuary_alert_failures_total", "Evaluations of alerts that failed.",
		func() float64 { return float64(alerts().Failed) })
	m.Counter("promptuary_alert_notices_total", "Evaluations of alerts that led to a message.",
		func() float64 { return float64(alerts().Told) })
	m.Counter("promptuary_export_runs_total", "Runs of saved exports that are done.",
		func() float64 { return float64(exports().Done) })
	m.Counter("promptuary_export_failures_total", "Runs of saved exports that failed.",
		func() float64 { return float64(exports().Failed) })
	m.Counter("promptuary_webhook_dead_total", "Event deliveries abandoned after the last retry.",
		func() float64 { return float64(hooks().Dead) })
}

// Close stops all work. Work in progress may finish until ctx ends; after that
// it is left to another process. It may be called on a partially opened value.
func (w *Work) Close(ctx context.Context) error {
	var err error
	if w.playground != nil {
		err = w.playground.Close(ctx) // first, because it is fast
	}
	if w.stopFollowing != nil {
		w.stopFollowing()
		w.following.Wait()
	}
	if w.jobs != nil {
		w.jobs.Stop(ctx)
	}
	if w.traces != nil {
		err = errors.Join(err, w.traces.Close(ctx))
	}
	if w.live != nil {
		err = errors.Join(err, w.live.Close(ctx))
	}
	if w.outbound != nil {
		w.outbound.Close()
	}
	if w.buckets != nil {
		w.buckets.Close()
	}
	if w.sender.HTTP != nil {
		w.sender.Close()
	}
	return err
}
