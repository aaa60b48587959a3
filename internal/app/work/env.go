package work

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"runtime"
	"strconv"

	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workbench"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// maxWaitingTexts limits the expressions and paths of one workspace that wait. It
// is high, because a node that is refused its turn fails: it allows ten nodes of each
// of the default maximum number of runs.
const maxWaitingTexts = 10_000

// newTexts returns the queue of expressions and paths over texts, which take a core
// for seconds at worst. A workspace leaves one core to everything else, and one slot to
// other workspaces.
func newTexts() *fair.Queue {
	each := max(1, runtime.GOMAXPROCS(0)-1)
	return fair.New(fair.Options{Slots: each + 1, Each: each, Waiting: maxWaitingTexts})
}

// env returns the environment of the steps of a run.
func (w *Work) env(scope run.Scope) step.Env { return w.stepEnv(logsOf(scope)) }

// stepEnv returns the environment of the steps of a scope.
func (w *Work) stepEnv(scope workbench.Scope) step.Env {
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
func (w *Work) columnEnv(scope eval.Scope) step.Env {
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
func (w *Work) post(ctx context.Context, url string, body []byte) error {
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
