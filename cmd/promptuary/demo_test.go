package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/dataset"
	demoregistry "github.com/promptuary/promptuary/internal/demo/registry"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/eval"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/view"
)

func TestMain(m *testing.M) {
	if script.IsWorker() {
		script.WorkerMain()
	}
	// Commands read these variables; tests must not depend on them.
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "PROMPTUARY_") {
			_ = os.Unsetenv(name) // the name is valid
		}
	}
	os.Exit(m.Run())
}

// runDemo runs the demo command on a data folder and returns its output.
func runDemo(t *testing.T, data string, args ...string) string {
	t.Helper()
	root := newRootCommand()
	root.SetArgs(append([]string{"demo", "--data", data, "--end", "2026-01-31T00:00:00Z"}, args...))
	var printed strings.Builder
	root.SetOut(&printed)
	if err := root.ExecuteContext(t.Context()); err != nil {
		t.Fatalf("demo %v: %v", args, err)
	}
	return printed.String()
}

// On a new data folder, demo prints the command to serve it, the first key and the
// sign-in link, which is printed until it is used.
func TestDemoPrintsFirstKey(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	first := runDemo(t, data, "--n", "10", "--registry=false")
	key, link := regexp.MustCompile(`pl_\w+`).FindString(first), regexp.MustCompile(`http://\S+/sign-in#token=\w+`).FindString(first)
	if key == "" || link == "" || !strings.HasPrefix(first, "Created sample data with 10 request logs.") || !strings.Contains(first, " serve --data "+data+"\n") {
		t.Fatalf("no key, no link or no command in:\n%s", first)
	}
	if again := runDemo(t, data, "--n", "10", "--registry=false"); strings.Contains(again, "pl_") || !strings.Contains(again, link) {
		t.Errorf("printed again:\n%s", again)
	}
	a, closeIt := open(t, data)
	defer closeIt()
	request := httptest.NewRequest(http.MethodGet, "/workflows", nil)
	request.Header.Set("X-API-KEY", key)
	answer := httptest.NewRecorder()
	a.Handler().ServeHTTP(answer, request)
	check.Equal(t, "status with the key", answer.Code, http.StatusOK)
}

func TestServeCommand(t *testing.T) {
	t.Parallel()
	cmd := newDemoCommand()
	check.OK(t, cmd.ParseFlags([]string{"--n", "5", "--data", "/srv/Ann's data", "--addr=:9000", "--config", "a.yaml"}))
	check.Equal(t, "command", serveCommand(cmd, "bin/promptuary"), `bin/promptuary serve --addr :9000 --config a.yaml --data '/srv/Ann'\''s data'`)
	cmd = newDemoCommand()
	check.OK(t, cmd.ParseFlags([]string{"--catalog", "postgres://ann:secret@db/p", "--logs", "clickhouse://ann:se@cret@h1:1,h2:2/logs?quorum=2"}))
	check.Equal(t, "command", serveCommand(cmd, "promptuary"), `promptuary serve --catalog 'postgres://ann:…@db/p' --logs 'clickhouse://ann:…@h1:1,h2:2/logs?quorum=2'`)
}

// opened is an open data folder with demo data.
type opened struct {
	*app.App
	demoregistry.Services
	ctx context.Context
}

// open opens a data folder until closeIt is called.
func open(t *testing.T, data string) (o opened, closeIt func()) {
	t.Helper()
	cfg := config.Default()
	cfg.Data = data
	a, err := app.Open(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	if err != nil {
		t.Fatal(err)
	}
	return opened{a, a.DemoServices(), access.WithCaller(t.Context(), access.CommandLine())}, func() {
		if err := a.Close(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// must returns a value and fails the test on an error.
func must[T any](t *testing.T) func(value T, err error) T {
	return func(value T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

var allTypes = []entity.Type{
	entity.TypeFolder, entity.TypePrompt, entity.TypeSnippet, entity.TypeWorkflow, entity.TypeDataset,
	entity.TypeReport, entity.TypeABTest, entity.TypeSkill, entity.TypeTool,
}

// inventory counts the entities of each kind.
func (o opened) inventory(t *testing.T) map[string]int {
	t.Helper()
	counts := map[string]int{}
	for _, item := range must[[]folder.Item](t)(o.Folders.Entities(o.ctx, folder.ListQuery{
		Filters: entity.Query{WorkspaceID: o.Workspace()}, Flatten: true, Types: allTypes,
	})) {
		counts[string(item.Type)]++
	}
	datasets, _, err := o.Datasets.List(o.ctx, dataset.ListQuery{Filters: entity.Query{WorkspaceID: o.Workspace()}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range datasets {
		counts[fmt.Sprintf("rows of %s %d", datasets[i].GroupName, datasets[i].Number)] = int(datasets[i].RowCount)
	}
	for _, e := range o.evaluations(t) {
		counts["runs of "+e.Entity.Name] = len(e.Runs)
	}
	counts["workspaces"] = len(must[[]access.Workspace](t)(o.Access.Workspaces(o.ctx)))
	counts["members"] = len(must[[]access.Member](t)(o.Access.Members(o.ctx, o.Workspace())))
	counts["variables"] = len(must[[]envvar.Variable](t)(o.EnvVars.List(o.ctx, envvar.Scope{Workspace: o.Workspace()})))
	for _, kind := range []view.Kind{view.KindView, view.KindDashboard} {
		counts[string(kind)+"s"] = len(o.views(t, kind))
	}
	for _, key := range must[[]access.Key](t)(o.Access.Keys(o.ctx, o.Workspace())) {
		counts["keys"]++
		if key.RevokedAt != nil {
			counts["revoked keys"]++
		}
		if key.ExpiresAt != nil {
			counts["keys that end"]++
		}
	}
	return counts
}

func (o opened) evaluations(t *testing.T) []eval.Evaluation {
	t.Helper()
	list, _, err := o.Evaluations.List(o.ctx, entity.Query{WorkspaceID: o.Workspace()}, true)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// logs counts the logs that match a filter.
func (o opened) logs(t *testing.T, filters string) int64 {
	t.Helper()
	tree := must[jsontree.Value](t)(jsontree.Parse([]byte(filters)))
	filter := must[query.Node](t)(query.ParseFilter(jsontree.Value{}, tree))
	return must[requests.SearchResult](t)(o.Logs().Search(o.ctx, o.Workspace(), requests.SearchInput{
		Input: query.Input{Filter: filter}, Page: 1, PerPage: 1,
	})).Total
}

func TestDemoCreatesRegistryOnce(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	want := map[string]int{
		"FOLDER": 4, "PROMPT": 40, "SNIPPET": 2, "AB_TEST": 1, "WORKFLOW": 3, "DATASET": 3, "REPORT": 2, "SKILL_COLLECTION": 2, "TOOL": 3,
		"rows of Support questions 1": 40, "rows of Support questions 2": 40, "rows of Support questions -1": 43,
		"rows of Regression set 1": 200, "rows of Regression set 2": 200, "rows of Regression set 3": 200,
		"rows of Slow replies 1":  50,
		"runs of Support answers": 2, "runs of Ticket classifier": 3,
		"workspaces": 2, "members": 3, "variables": 2, "keys": 4, "revoked keys": 1, "keys that end": 1,
		"views": 2, "dashboards": 1,
	}
	for round := range 2 {
		runDemo(t, data, "--n", "600")
		o, closeIt := open(t, data)
		if diff := cmp.Diff(want, o.inventory(t)); diff != "" {
			t.Errorf("round %d (-want +got):\n%s", round, diff)
		}
		if got, want := o.logs(t, `[]`), int64(600*(round+1)); got != want {
			t.Errorf("round %d: there are %d logs, want %d", round, got, want)
		}
		o.checkVersions(t)
		if round == 1 {
			o.checkPrompts(t)
			o.checkTools(t)
			o.checkSkills(t)
			o.checkScores(t)
			o.checkComparison(t)
			o.checkCharts(t)
			o.checkWorkflowRuns(t)
		}
		closeIt()
	}
}

func TestDemoWithoutRegistry(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	runDemo(t, data, "--n", "50", "--registry=false")
	o, closeIt := open(t, data)
	want := map[string]int{"PROMPT": 40, "workspaces": 1, "members": 1, "variables": 0, "keys": 1, "views": 0, "dashboards": 0}
	if diff := cmp.Diff(want, o.inventory(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	closeIt()

	// The registry can be added later: existing prompts get the missing versions.
	runDemo(t, data, "--n", "50")
	o, closeIt = open(t, data)
	defer closeIt()
	o.checkVersions(t)
}
