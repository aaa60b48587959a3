package tool_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
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

// registry is a service over a real catalog and a real sandbox with two
// workspaces, and shortcuts that fail the test instead of returning an error.
type registry struct {
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
func onEachEngine(t *testing.T, test func(t *testing.T, r *registry)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newRegistry(t, dsn)) })
}

// onSQLite returns a new, empty registry for what no engine decides.
func onSQLite(t *testing.T) *registry {
	t.Helper()
	return newRegistry(t, catalogtest.SQLite(t))
}

func newRegistry(t *testing.T, dsn string) *registry {
	t.Helper()
	r := openRegistry(t, dsn, secret.NewKey())
	r.workspace = must(r.catalog.CreateWorkspace(r.ctx, "first"))(t).ID
	r.other = must(r.catalog.CreateWorkspace(r.ctx, "second"))(t).ID
	return r
}

func openRegistry(t *testing.T, dsn string, key secret.Key) *registry {
	t.Helper()
	c := must(catalog.Open(t.Context(), dsn))(t)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	runner := script.New(script.Options{Limits: script.Limits{Time: 30 * time.Second}})
	t.Cleanup(runner.Close)
	variables := envvar.NewService(c, secret.NewBox(key))
	return &registry{
		Service: tool.NewService(tool.Options{Catalog: c, Environment: variables, Scripts: runner}),
		t:       t, ctx: t.Context(), catalog: c, envVars: variables, dsn: dsn, key: key,
	}
}

// again returns the registry as another process sees it.
func (r *registry) again() *registry {
	r.t.Helper()
	other := openRegistry(r.t, r.dsn, r.key)
	other.workspace, other.other = r.workspace, r.other
	return other
}

// function is the definition of a function without parameters.
func function(name string) []byte {
	return []byte(`{"type":"function","function":{"name":"` + name + `"}}`)
}

// javascript is a version of a tool that runs code.
func javascript(name, code string) tool.Content {
	return tool.Content{Definition: function(name), Execution: tool.Execution{Language: "javascript", Code: code}}
}

// create makes a tool with labels.
func (r *registry) create(name string, content tool.Content, labels ...string) *tool.Record {
	r.t.Helper()
	return must(r.Create(r.ctx, r.workspace, tool.CreateInput{
		Name: name, Content: content, Release: tool.Release{Labels: labels},
	}))(r.t)
}

func (r *registry) add(identifier string, content tool.Content, labels ...string) *tool.Record {
	r.t.Helper()
	return must(r.AddVersion(r.ctx, r.workspace, identifier, content, tool.Release{Labels: labels}))(r.t)
}

func (r *registry) get(identifier string, version tool.Version) *tool.Record {
	r.t.Helper()
	return must(r.Get(r.ctx, r.workspace, identifier, version))(r.t)
}

// set gives a tool a variable, the workspace for the tool 0.
func (r *registry) set(workspace, toolID int64, key, value string) {
	r.t.Helper()
	must(r.envVars.Create(r.ctx, envvar.Scope{Workspace: workspace, Tool: toolID}, key, value))(r.t)
}

// as returns a context in which somebody with the permissions calls.
func (r *registry) as(permissions ...access.Permission) context.Context {
	return access.WithCaller(r.ctx, access.Caller{Workspace: r.workspace, Permissions: access.SetOf(permissions...)})
}

// stored is everything that a workspace holds.
type stored struct {
	Entities    []entity.Entity
	Versions    map[int64][]entity.Version
	Labels      map[int64][]entity.Label
	ExternalIDs map[int64][]entity.ExternalID
}

func (r *registry) stored() stored {
	r.t.Helper()
	all, _, err := r.catalog.ListEntities(r.ctx, entity.Query{WorkspaceID: r.workspace, Status: entity.LiveOrDeleted, Sort: entity.ByID})
	must(0, err)(r.t)
	s := stored{Entities: all, Versions: map[int64][]entity.Version{}}
	var ids []int64
	for _, e := range all {
		ids = append(ids, e.ID)
		versions, _, err := r.catalog.ListVersions(r.ctx, r.workspace, e.ID, entity.Page{})
		must(0, err)(r.t)
		s.Versions[e.ID] = versions
	}
	s.Labels = must(r.catalog.LabelsByEntity(r.ctx, r.workspace, ids))(r.t)
	s.ExternalIDs = must(r.catalog.ExternalIDsByEntity(r.ctx, r.workspace, ids))(r.t)
	return s
}

// unchanged fails the test when do changes anything.
func (r *registry) unchanged(do func()) {
	r.t.Helper()
	before := r.stored()
	do()
	if diff := cmp.Diff(before, r.stored()); diff != "" {
		r.t.Errorf("something was left behind (-before +after):\n%s", diff)
	}
}

// must returns the value of a call that has to succeed.
func must[T any](value T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return value
	}
}

// refused fails the test unless err is a fault of the kind with the message.
func refused(t testing.TB, err error, kind fault.Kind, message string) {
	t.Helper()
	var f *fault.Error
	if !errors.As(err, &f) || f.Kind != kind || f.Message != message {
		t.Errorf("got the error %v (kind %d), want %q (kind %d)", err, fault.KindOf(err), message, kind)
	}
}

// together calls do n times at once and returns what it returned.
func together(n int, do func(i int) error) []error {
	errs := make([]error, n)
	start := make(chan struct{})
	var done sync.WaitGroup
	for i := range n {
		done.Go(func() {
			<-start
			errs[i] = do(i)
		})
	}
	close(start)
	done.Wait()
	return errs
}

func equal[T any](t testing.TB, what string, got, want T) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}
