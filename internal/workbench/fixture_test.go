package workbench_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/template"
	"github.com/promptuary/promptuary/internal/tool"
	"github.com/promptuary/promptuary/internal/workbench"
)

func TestMain(m *testing.M) {
	if script.IsWorker() {
		script.WorkerMain()
	}
	os.Exit(m.Run())
}

// homeKey is what the workspace home calls models with.
const homeKey = "key-of-home-1234"

// world is a bench over real stores, with a provider on loopback. Of its two
// workspaces home has keys and away has none.
type world struct {
	*workbench.Bench
	t       *testing.T
	catalog *catalog.Catalog
	store   *refusing
	prompts *prompt.Service
	envVars *envvar.Service
	tools   *tool.Service
	// asked is in whose name keys were looked up last.
	asked      atomic.Pointer[access.Caller]
	provider   *provider
	home, away workbench.Scope
}

// settings are what a test may want to be different.
type settings struct {
	// closed forbids calls to loopback.
	closed bool
	logger *slog.Logger
}

func newWorld(t *testing.T, set settings) *world {
	t.Helper()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	w := &world{t: t, catalog: c, provider: newProvider(t)}
	w.envVars = envvar.NewService(c.Entities, c.EnvVars, secret.NewBox(secret.NewKey()))
	w.home.Workspace = check.Must(c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "home"))(t).ID
	w.away.Workspace = check.Must(c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "away"))(t).ID
	w.set(w.home, "OPENAI_API_KEY", homeKey)
	w.set(w.home, "ANTHROPIC_API_KEY", homeKey)
	w.set(w.home, "GOOGLE_API_KEY", homeKey)
	client := outbound.New(outbound.Options{Allow: allowed(t, set.closed)})
	t.Cleanup(client.Close)
	runner := script.New(script.Options{Limits: script.Limits{Time: 30 * time.Second}})
	t.Cleanup(runner.Close)
	w.tools = tool.NewService(tool.Options{Store: c.Entities, Environment: w.envVars, Scripts: runner})
	w.prompts = prompt.NewService(c.Entities, w.tools)
	w.Bench = workbench.New(workbench.Options{
		Prompts: w.prompts, Models: w.models(), Logs: w.logs(), Scripts: runner, HTTP: client, Tools: w.tools,
		Vault: step.NewVault(secret.NewBox(secret.NewKey())), Variables: w.envVars, Logger: set.logger,
	})
	return w
}

func allowed(t *testing.T, closed bool) outbound.Allowed {
	t.Helper()
	if closed {
		return outbound.Allowed{}
	}
	return check.Must(outbound.ParseAllowed("127.0.0.1"))(t)
}

// models returns a service that calls the provider, whose address the operator
// has set. Each look at the clock takes a second.
func (w *world) models() *client.Service {
	addresses := map[string]string{"OPENAI_BASE_URL": w.provider.URL + "/v1", "ANTHROPIC_BASE_URL": w.provider.URL, "GOOGLE_GEMINI_BASE_URL": w.provider.URL}
	var seconds atomic.Int64
	return client.New(client.Options{
		Keys:    client.NewKeys(w, func(name string) string { return addresses[name] }),
		Retries: -1,
		Now:     func() time.Time { return time.Unix(1_800_000_000+seconds.Add(1), 0) },
	})
}

// Resolve finds the keys of a workspace.
func (w *world) Resolve(ctx context.Context, workspace, tool int64) (map[string]string, error) {
	caller := access.CallerOf(ctx)
	w.asked.Store(&caller)
	return w.envVars.Resolve(ctx, workspace, tool)
}

func (w *world) logs() *requests.Service {
	opened := check.Must(embedded.Open(access.AsSystem(w.t.Context()), filepath.Join(w.t.TempDir(), "logs"), embedded.Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1}))(w.t)
	w.t.Cleanup(func() { check.OK(w.t, opened.Close()) })
	w.store = &refusing{Store: opened}
	logs := requests.NewService(requests.Options{
		Store: w.store, Groups: w.catalog.Groups, Sequence: w.catalog.Sequences, Prompts: w.prompts, Prices: pricing.NewService(w.catalog.Prices, nil),
	})
	w.t.Cleanup(func() { check.OK(w.t, logs.Drain(access.AsSystem(context.Background()))) })
	return logs
}

// refusing is a store that fails for as often as a test says.
type refusing struct {
	requests.Store
	left atomic.Int64
	err  error
}

// Append fails, or does what the store does.
func (r *refusing) Write(ctx context.Context, batch reqlog.Batch) error {
	if r.left.Add(-1) >= 0 {
		return r.err
	}
	return r.Store.Write(ctx, batch)
}

func (w *world) set(scope workbench.Scope, key, value string) {
	w.t.Helper()
	check.Must(w.envVars.Create(access.AsSystem(w.t.Context()), envvar.Scope{Workspace: scope.Workspace}, key, value))(w.t)
}

// publish publishes a template at home and returns its id.
func (w *world) publish(name, tmpl, metadata string, labels ...string) int64 {
	w.t.Helper()
	content := prompt.Content{Template: template.Normalize(check.JSON(tmpl))}
	if metadata != "" {
		content.Metadata = []byte(metadata)
	}
	return check.Must(w.prompts.Publish(access.AsSystem(w.t.Context()), w.home.Workspace, prompt.Publication{
		Name: name, Content: content, Release: registry.Release{Labels: labels},
	}))(w.t).Entity.ID
}

// greet publishes a prompt for a small model of OpenAI's.
func (w *world) greet() int64 {
	w.t.Helper()
	return w.publish("greet", `{"type":"chat","messages":[`+system("Be kind.")+`,`+user("Greet {name}!")+`]}`,
		`{"model":{"provider":"openai","name":"gpt-4o-mini","parameters":{"temperature":0.20}}}`)
}

// run runs a step and returns its value as JSON.
func (w *world) run(scope workbench.Scope, kind, config, values string) (string, error) {
	w.t.Helper()
	return w.runWithin(access.AsSystem(w.t.Context()), scope, kind, config, values)
}

func (w *world) runWithin(ctx context.Context, scope workbench.Scope, kind, config, values string) (string, error) {
	w.t.Helper()
	typ, ok := step.Find(kind)
	if !ok {
		w.t.Fatalf("there is no step %s", kind)
	}
	prepared := check.Must(typ.Prepare(check.JSON(config)))(w.t)
	env := w.Env(scope)
	list := step.List{}
	for name, value := range check.JSON(values).Members() {
		list = append(list, step.Named{Name: name, Value: value})
	}
	env.Values = list
	value, err := prepared.Run(ctx, &env)
	return string(value.Raw()), err
}

// value is run for steps that must not fail.
func (w *world) value(scope workbench.Scope, kind, config, values string) string {
	w.t.Helper()
	return check.Must(w.run(scope, kind, config, values))(w.t)
}

// logged returns all logs of a scope's workspace, oldest first.
func (w *world) logged(scope workbench.Scope) []*reqlog.Log {
	w.t.Helper()
	found := check.Must(w.store.Search(access.AsSystem(w.t.Context()), query.SearchQuery{
		Query: query.Query{Workspace: scope.Workspace}, SortBy: query.FieldID, Ascending: true, Page: 1, PerPage: 25,
	}))(w.t)
	logs := make([]*reqlog.Log, len(found.Items))
	for i, item := range found.Items {
		logs[i] = check.Must(w.store.Get(access.AsSystem(w.t.Context()), scope.Workspace, item.ID))(w.t)
	}
	return logs
}

// onlyLog returns the one log of a scope's workspace.
func (w *world) onlyLog(scope workbench.Scope) *reqlog.Log {
	w.t.Helper()
	logs := w.logged(scope)
	if len(logs) != 1 {
		w.t.Fatalf("%d calls were logged, want 1", len(logs))
	}
	return logs[0]
}

func quoted(text string) string { return string(jsontree.AppendQuoted(nil, text)) }

func system(text string) string { return said("system", text) }
func user(text string) string   { return said("user", text) }

func said(role, text string) string {
	return `{"role":"` + role + `","content":[{"type":"text","text":` + quoted(text) + `}]}`
}

// spoken returns who said what in a chat.
func spoken(chat []byte) []string {
	lines := []string{}
	for _, message := range check.JSON(string(chat)).Get("messages").Elems() {
		line := message.Get("role").Str() + ":"
		for _, item := range message.Get("content").Elems() {
			line += " " + item.Get("text").Str()
		}
		lines = append(lines, line)
	}
	return lines
}

// sameJSON compares JSON texts by what they say.
func sameJSON(t *testing.T, what, got, want string) {
	t.Helper()
	var gotValue, wantValue any
	if err := json.Unmarshal([]byte(got), &gotValue); err != nil {
		t.Fatalf("%s: %v in %s", what, err, got)
	}
	if err := json.Unmarshal([]byte(want), &wantValue); err != nil {
		t.Fatal(err)
	}
	check.Equal(t, what, gotValue, wantValue)
}

// viewer may read and nothing else.
func viewer(workspace int64) access.Caller {
	return access.Caller{KeyID: 1, Workspace: workspace, Permissions: access.Viewer.Permissions()}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
