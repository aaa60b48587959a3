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
	"strconv"

	"github.com/promptuary/promptuary/internal/eval"
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
	"github.com/promptuary/promptuary/internal/workbench"
	"github.com/promptuary/promptuary/internal/workflow"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// background holds the services that run work in the background.
type background struct {
	scripts   *script.Runner
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
}

// openWork builds the services for workflows and evaluations and resumes
// interrupted runs.
func (a *App) openWork(ctx context.Context) (err error) {
	w := &background{}
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
		Store: a.catalog.Runs, Definitions: w.workflows, Env: w.env, Post: w.post, CheckURL: w.outbound.CheckURL,
		Ended: w.ended, Traces: w.traces, Logger: a.log,
	})
	if w.live, err = live.New(live.Options{Messages: w.runs, Key: a.tokenKey, Logger: a.log}); err != nil {
		return err
	}
	w.evaluations = eval.NewService(eval.Options{Entities: a.catalog.Entities, Store: a.catalog.Evaluations, Datasets: a.datasets, Env: w.columnEnv, Traces: w.traces, Vault: a.vault, Logger: a.log})
	a.datasets.UseReports(a.catalog.Evaluations)
	w.repricings = repricing.NewService(repricing.Options{Store: a.catalog.Repricings, Logs: a.logs, Prices: a.prices})
	w.jobs = job.NewRunner(job.Options{
		Store: a.catalog.Runs, Workers: map[job.Kind]job.Worker{run.Kind: w.runs, eval.Kind: w.evaluations, repricing.Kind: w.repricings}, Owner: processName(),
		Alone: !sharesCatalog(a.cfg), Total: a.cfg.Jobs, Each: a.cfg.WorkspaceJobs, Logger: a.log,
	})
	w.runs.UseJobs(w.jobs)
	w.evaluations.UseJobs(w.jobs)
	w.repricings.UseJobs(w.jobs)
	return w.jobs.Start(ctx)
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
func (w *background) env(scope run.Scope) step.Env {
	return w.bench.Env(workbench.Scope{
		Workspace: scope.Workspace,
		Tags:      []string{"workflow", "workflow-" + strconv.FormatInt(scope.WorkflowID, 10)},
		Metadata:  members(scope.Metadata),
	})
}

// columnEnv returns the environment of a column of an evaluation. Logs carry
// the run and the column.
func (w *background) columnEnv(scope eval.Scope) step.Env {
	plain := func() step.Env {
		return w.bench.Env(workbench.Scope{Workspace: scope.Workspace, Tags: []string{
			"evaluate", "evaluate-" + strconv.FormatInt(scope.RunID, 10), "column-" + strconv.FormatInt(scope.ColumnID, 10),
		}})
	}
	env := plain()
	env.Workflows = w.runs.Outside(scope.Workspace, plain)
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
	return err
}
