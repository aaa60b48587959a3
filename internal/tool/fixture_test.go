package tool_test

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/tool"
)

func TestMain(m *testing.M) {
	if script.IsWorker() {
		script.WorkerMain()
	}
	os.Exit(pgtest.Main(m))
}

// suite is a service over a real catalog and a real sandbox with two
// workspaces, with helpers that fail the test on errors.
type suite struct {
	*tool.Service
	t         *testing.T
	ctx       context.Context
	catalog   *catalog.Catalog
	envVars   *envvar.Service
	dsn       string
	key       secret.Key
	workspace int64
	other     int64
}

// onEachEngine runs a test over a new, empty registry.
func onEachEngine(t *testing.T, test func(t *testing.T, r *suite)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newSuite(t, dsn)) })
}

// onSQLite returns a new, empty registry for tests that do not depend on the
// engine.
func onSQLite(t *testing.T) *suite {
	t.Helper()
	return newSuite(t, catalogtest.SQLite(t))
}

func newSuite(t *testing.T, dsn string) *suite {
	t.Helper()
	r := openSuite(t, dsn, secret.NewKey())
	r.workspace = check.Must(r.catalog.Accounts.CreateWorkspace(r.ctx, "first"))(t).ID
	r.other = check.Must(r.catalog.Accounts.CreateWorkspace(r.ctx, "second"))(t).ID
	return r
}

func openSuite(t *testing.T, dsn string, key secret.Key) *suite {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	runner := script.New(script.Options{Limits: script.Limits{Time: 30 * time.Second}})
	t.Cleanup(runner.Close)
	variables := envvar.NewService(c.Entities, c.EnvVars, secret.NewBox(key))
	return &suite{
		Service: tool.NewService(tool.Options{Store: c.Entities, Environment: variables, Scripts: runner}),
		t:       t, ctx: access.AsSystem(t.Context()), catalog: c, envVars: variables, dsn: dsn, key: key,
	}
}

// again returns the registry as another process sees it.
func (r *suite) again() *suite {
	r.t.Helper()
	other := openSuite(r.t, r.dsn, r.key)
	other.workspace, other.other = r.workspace, r.other
	return other
}

// function returns the definition of a function without parameters.
func function(name string) []byte {
	return []byte(`{"type":"function","function":{"name":"` + name + `"}}`)
}

// javascript returns a version of a tool with code.
func javascript(name, code string) tool.Content {
	return tool.Content{Definition: function(name), Execution: tool.Execution{Language: "javascript", Code: code}}
}

// create creates a tool with labels.
func (r *suite) create(name string, content tool.Content, labels ...string) *tool.Record {
	r.t.Helper()
	return check.Must(r.Create(r.ctx, r.workspace, registry.CreateInput[tool.Content]{
		Name: name, Content: &content, Release: registry.Release{Labels: labels},
	}))(r.t)
}

func (r *suite) add(identifier string, content tool.Content, labels ...string) *tool.Record {
	r.t.Helper()
	return check.Must(r.AddVersion(r.ctx, r.workspace, identifier, content, registry.Release{Labels: labels}))(r.t)
}

func (r *suite) get(identifier string, version registry.Selector) *tool.Record {
	r.t.Helper()
	return check.Must(r.Get(r.ctx, r.workspace, identifier, version))(r.t)
}

// set sets a variable of a tool, or of the workspace for tool 0.
func (r *suite) set(workspace, toolID int64, key, value string) {
	r.t.Helper()
	check.Must(r.envVars.Create(r.ctx, envvar.Scope{Workspace: workspace, Tool: toolID}, key, value))(r.t)
}

// as returns a context of a caller with the permissions.
func (r *suite) as(permissions ...access.Permission) context.Context {
	return access.WithCaller(r.ctx, access.Caller{Workspace: r.workspace, Permissions: access.SetOf(permissions...)})
}

// unchanged fails the test if do changes anything.
func (r *suite) unchanged(do func()) {
	r.t.Helper()
	catalogtest.Unchanged(r.t, r.catalog, r.workspace, do)
}
