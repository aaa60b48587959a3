package app

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/importer/remote"
	"github.com/promptuary/promptuary/internal/importer/target"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/live"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/runtrace"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/webhook"
	"github.com/promptuary/promptuary/internal/webhook/send"
	"github.com/promptuary/promptuary/internal/workbench"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// background holds the services that run work in the background.
type background struct {
	scripts   *script.Runner
	texts     *fair.Queue
	outbound  *outbound.Client
	bench     *workbench.Bench
	traces    *runtrace.Writer
	jobs      *job.Runner
	workflows *workflow.Service
	runs      *run.Service
	live      *live.Server

	evaluations *eval.Service
	tools       *tool.Service
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

	// stopFollowing ends what follows retention rules and schedules, and the check of the
	// catalog.
	stopFollowing context.CancelFunc
	following     sync.WaitGroup
}

// openWork builds the services for workflows and evaluations and resumes
// interrupted runs.
func (a *App) openWork(ctx context.Context) (err error) {
	w := &background{texts: newTexts(), jobs: job.NewRunner(job.Options{
		Store: a.catalog.Runs, Owner: processName(), Alone: !sharesCatalog(a.cfg), Total: a.cfg.Jobs, Each: a.cfg.WorkspaceJobs, Logger: a.log,
	})}
	a.work = w
	if w.scripts, err = a.newScripts(ctx); err != nil {
		return err
	}
	w.tools = tool.NewService(tool.Options{Store: a.catalog.Entities, Environment: a.envVars, Scripts: w.scripts})
	a.prompts.UseTools(w.tools)
	allowed, err := outbound.ParseAllowed(a.cfg.AllowTargets)
	if err != nil {
		return fmt.Errorf("option allow-targets: %w", err)
	}
	w.outbound = outbound.New(outbound.Options{Allow: allowed})
	models := client.New(client.Options{
		Keys:    client.NewKeys(a.envVars, os.Getenv),
		Models:  pricing.Models,
		Guarded: outbound.New(outbound.Options{Allow: allowed, MaxBytes: maxModelAnswer}).HTTP(),
	})
	w.bench = workbench.New(workbench.Options{
		Prompts: a.prompts, Models: models, Logs: a.logs, Scripts: w.scripts, Tools: w.tools, HTTP: w.outbound,
		Vault: a.vault, Variables: a.envVars, Logger: a.log,
	})
	w.traces = runtrace.NewWriter(runtrace.Options{Store: a.logs, Logger: a.log})
	w.playground = playground.NewService(playground.Options{Prompts: a.prompts, Models: models, Logs: a.logs, Logger: a.log})
	w.workflows = workflow.NewService(a.catalog.Entities, workflow.StepTypes{Vault: a.vault}, workflow.RandomID)
	w.runs = run.NewService(run.Options{
		Jobs:  w.jobs,
		Store: a.catalog.Runs, Definitions: w.workflows, Env: w.env, Post: w.post, CheckURL: w.outbound.CheckURL,
		Ended: w.ended, Traces: w.traces, Logger: a.log,
	})
	if w.live, err = live.New(live.Options{Messages: w.runs, Key: a.tokenKey, Logger: a.log}); err != nil {
		return err
	}
	w.evaluations = eval.NewService(eval.Options{Jobs: w.jobs, Entities: a.catalog.Entities, Store: a.catalog.Evaluations, Datasets: a.datasets, Logs: a.logs, Env: w.columnEnv, Traces: w.traces, Vault: a.vault, Logger: a.log})
	a.datasets.UseReports(a.catalog.Evaluations)
	w.repricings = repricing.NewService(repricing.Options{Jobs: w.jobs, Store: a.catalog.Repricings, Logs: a.logs, Prices: a.prices})
	w.deletions = deletion.NewService(deletion.Options{Jobs: w.jobs, Store: a.catalog.Deletions, Retention: a.catalog.Deletions, Logs: a.logs})
	w.exports = export.NewService(export.Options{
		Store: a.catalog.Exports, Logs: a.logs, Datasets: a.datasets, Evaluations: w.evaluations, Audit: audit.NewService(a.catalog.Accounts),
		Settled: a.settledLogs(), AuditDelay: a.auditDelay(),
	})
	if err := w.openSavedExports(a, allowed); err != nil {
		return err
	}
	w.imports = importer.NewService(importer.Options{Jobs: w.jobs, Store: a.catalog.Imports, Logs: a.logs, Servers: a.importServers(allowed)})
	w.sender = send.Router{HTTP: send.NewHTTP(allowed, 0), Mail: newMail(a.cfg)}
	w.alerts = alert.NewService(alert.Options{Jobs: w.jobs, Store: a.catalog.Alerts, Logs: a.logs, Logger: a.log})
	w.abTests = abtest.NewService(abtest.Options{Jobs: w.jobs, Tests: a.prompts, Logs: a.logs, Queue: a.catalog.Runs, Notices: a.catalog.Webhooks})
	w.webhooks = webhook.NewService(webhook.Options{Jobs: w.jobs, Store: a.catalog.Webhooks, Box: a.box, CheckURL: w.sender.CheckURL, Sender: w.sender})
	if err := w.jobs.Start(ctx, w.workers()); err != nil {
		return err
	}
	following, stop := context.WithCancel(context.WithoutCancel(ctx))
	w.stopFollowing = stop
	w.following.Go(guard.Loop("retention", following.Done(), func() { w.deletions.FollowRetention(following, a.log) }))
	w.following.Go(guard.Loop("check of the catalog", following.Done(), func() { a.scrubCatalog(following) }))
	w.following.Go(guard.Loop("exports", following.Done(), func() { w.savedExports.Follow(following) }))
	return nil
}

// workers returns the services that run jobs.
func (w *background) workers() map[job.Kind]job.Worker {
	return map[job.Kind]job.Worker{
		run.Kind: w.runs, eval.Kind: w.evaluations, repricing.Kind: w.repricings, deletion.Kind: w.deletions, webhook.Kind: w.webhooks,
		alert.Kind: w.alerts, abtest.Kind: w.abTests, importer.Kind: w.imports, exporter.Kind: w.savedExports,
	}
}

// bucketTimeout limits a call of the service of a bucket, such as the upload of a
// part.
const bucketTimeout = 10 * time.Minute

// openSavedExports builds the service for saved exports.
func (w *background) openSavedExports(a *App, allowed outbound.Allowed) error {
	folders, err := exportFolders(a.cfg.ExportFolders)
	if err != nil {
		return fmt.Errorf("option export-folders: %w", err)
	}
	w.buckets = outbound.New(outbound.Options{Allow: allowed, Timeout: bucketTimeout, MaxRedirects: -1})
	w.savedExports = exporter.NewService(exporter.Options{
		Jobs:  w.jobs,
		Store: a.catalog.Exports, Exports: w.exports, Box: a.box, Folders: folders, Installation: a.installation, CheckURL: w.buckets.CheckURL,
		OpenBucket: func(o blob.BucketOptions) (blob.Store, error) {
			o.Client = w.buckets.HTTP()
			return blob.NewBucket(o)
		},
		Logger: a.log,
	})
	return nil
}

// exportFolders returns the folders of a list that is separated by commas.
func exportFolders(list string) (folders []string, err error) {
	for path := range strings.SplitSeq(list, ",") {
		if path = strings.TrimSpace(path); path == "" {
			continue
		}
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
		folders = append(folders, path)
	}
	return folders, nil
}

const (
	// maxServerAnswer and serverTime limit an answer of a server that is imported from:
	// its list of objects is one answer.
	maxServerAnswer = 64 << 20
	serverTime      = 2 * time.Minute
)

// importServers returns what imports from other servers need.
func (a *App) importServers(allowed outbound.Allowed) importer.Servers {
	calls := outbound.New(outbound.Options{Allow: allowed, MaxBytes: maxServerAnswer, Timeout: serverTime})
	return importer.Servers{
		Target:   &target.Target{Entities: a.catalog.Entities, Folders: folder.NewService(a.catalog.Entities), Prompts: a.prompts, Workflows: a.work.workflows, Datasets: a.datasets},
		Box:      a.box,
		CheckURL: calls.CheckURL,
		Connect: func(address, key string) *remote.Client {
			return remote.New(remote.Options{Address: address, Key: key, Calls: calls})
		},
	}
}

// newMail returns the mail server, nil if there is none.
func newMail(cfg config.Config) *send.Mail {
	if cfg.SMTPAddr == "" {
		return nil
	}
	return &send.Mail{Addr: cfg.SMTPAddr, From: cfg.SMTPFrom, User: cfg.SMTPUser, Password: cfg.SMTPPassword, Security: cfg.SMTPSecurity}
}

// maxModelAnswer limits the size of a response of a model.
const maxModelAnswer = 32 << 20

func (a *App) newScripts(ctx context.Context) (*script.Runner, error) {
	options := script.Options{Logger: a.log}
	if a.cfg.PythonSteps == "" {
		return script.New(options), nil
	}
	path, err := exec.LookPath(a.cfg.PythonSteps)
	if err != nil {
		return nil, fmt.Errorf("option python-steps: %w", err)
	}
	options.Python = path
	runner := script.New(options)
	if _, err := runner.PythonIsolation(ctx); err != nil { // it also logs the protections that hold
		return runner, fmt.Errorf("option python-steps: %w", err)
	}
	return runner, nil
}

// processName returns a unique name for this process.
func processName() string {
	host, _ := os.Hostname() // only informative
	return fmt.Sprintf("%s-%d-%s", host, os.Getpid(), rand.Text())
}

// env returns the environment of the steps of a run.
func (w *background) env(scope run.Scope) step.Env { return w.stepEnv(logsOf(scope)) }

// stepEnv returns the environment of the steps of a scope.
func (w *background) stepEnv(scope workbench.Scope) step.Env {
	env := w.bench.Env(scope)
	env.Turn = func(ctx context.Context) (end func(), err error) { return w.texts.Acquire(ctx, scope.Workspace) }
	return env
}

// logsOf returns what the request logs of a run have in common.
func logsOf(scope run.Scope) workbench.Scope {
	source, tags := reqlog.SourceWorkflow, []string{"workflow", "workflow-" + strconv.FormatInt(scope.WorkflowID, 10)}
	if scope.DryRun {
		// Like the playground, it tries out what is not a version yet.
		source, tags = reqlog.SourcePlayground, append(tags, "dry-run")
	}
	return workbench.Scope{Workspace: scope.Workspace, Source: source, Tags: tags, Metadata: members(scope.Metadata)}
}

// columnEnv returns the environment of a column of an evaluation. Logs carry
// the run and the column.
func (w *background) columnEnv(scope eval.Scope) step.Env {
	plain := func() step.Env {
		return w.stepEnv(workbench.Scope{Workspace: scope.Workspace, Source: reqlog.SourceEvaluation, Tags: []string{
			"evaluate", eval.RunTag(scope.RunID), eval.ColumnTag(scope.ColumnID),
		}})
	}
	env := plain()
	env.Workflows = w.runs.Outside(scope.Workspace, plain, scope.Ran)
	return env
}

// members returns the metadata of a run as metadata of its logs.
func members(object jsontree.Value) []reqlog.Member {
	var list []reqlog.Member
	for name, value := range object.Members() {
		list = append(list, reqlog.Member{Key: name, Value: value.Raw()})
	}
	return list
}

// post sends a callback.
func (w *background) post(ctx context.Context, url string, body []byte) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := w.outbound.Do(ctx, request)
	if err != nil {
		return err
	}
	if answer.Status < 200 || answer.Status > 299 {
		return fmt.Errorf("status %d", answer.Status)
	}
	return nil
}

// ended notifies clients that are waiting on the channels.
func (w *background) ended(workspace int64, channels ...string) {
	for _, channel := range channels {
		w.live.Ended(workspace, channel)
	}
}

// close stops all work. Work in progress may finish until ctx ends; after that
// it is left to another process. It may be called on a partially opened value.
func (w *background) close(ctx context.Context) error {
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
	if w.scripts != nil {
		w.scripts.Close()
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
