package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/workflow"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// simpleTypes knows two types: VARIABLE, whose configuration can be anything,
// and JOIN, which needs a list of sources. Both are as small as types can be,
// so that what is tested here are the rules of graphs.
type simpleTypes struct{}

func (simpleTypes) Known(nodeType string) bool { return nodeType == "VARIABLE" || nodeType == "JOIN" }

func (simpleTypes) Check(nodeType string, config jsontree.Value) error {
	if nodeType == "JOIN" && config.Get("sources").Kind() != jsontree.Array {
		return errors.New("sources must be a list")
	}
	return nil
}

func (simpleTypes) Sources(nodeType string, config jsontree.Value) []string {
	if nodeType != "JOIN" {
		return nil
	}
	var names []string
	for _, source := range config.Get("sources").Elems() {
		names = append(names, source.Str())
	}
	return names
}

// counter returns a source of ids that count.
func counter() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n.Add(1)) }
}

// registry is a service over a real catalog with two workspaces, and shortcuts
// that fail the test instead of returning an error.
type registry struct {
	*workflow.Service
	t         *testing.T
	ctx       context.Context
	catalog   *catalog.Catalog
	dsn       string
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
	r := openRegistry(t, dsn)
	r.workspace = must(r.catalog.CreateWorkspace(r.ctx, "first"))(t).ID
	r.other = must(r.catalog.CreateWorkspace(r.ctx, "second"))(t).ID
	return r
}

func openRegistry(t *testing.T, dsn string) *registry {
	t.Helper()
	c := must(catalog.Open(t.Context(), dsn))(t)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return &registry{
		Service: workflow.NewService(c, simpleTypes{}, workflow.RandomID), t: t, ctx: t.Context(), catalog: c, dsn: dsn,
	}
}

// again returns the registry as another process sees it.
func (r *registry) again() *registry {
	r.t.Helper()
	other := openRegistry(r.t, r.dsn)
	other.workspace, other.other = r.workspace, r.other
	return other
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

// parse returns JSON that the test itself wrote.
func parse(text string) jsontree.Value {
	v, err := jsontree.Parse([]byte(text))
	if err != nil {
		panic(fmt.Sprint(err, " in ", text))
	}
	return v
}

// define returns the definition that is written as the body of a request.
func define(t testing.TB, text string) workflow.Definition {
	t.Helper()
	body := parse(text)
	var problems fault.Problems
	d := workflow.Definition{Nodes: workflow.ReadNodes(body.Get("nodes"), []any{"body", "nodes"}, &problems)}
	if edges := body.Get("edges"); edges.Given() {
		d.Edges = workflow.ReadEdges(edges, []any{"body", "edges"}, &problems)
	}
	if variables := body.Get("required_input_variables"); variables.Given() {
		d.Variables = workflow.ReadVariables(variables, []any{"body", "required_input_variables"}, &problems)
	}
	must(0, problems.Err())(t)
	return d
}

// change returns the changes that are written as the body of a patch.
func change(t testing.TB, text string) workflow.Changes {
	t.Helper()
	body := parse(text)
	var problems fault.Problems
	var c workflow.Changes
	if nodes := body.Get("nodes"); nodes.Given() {
		c.Nodes = workflow.ReadNodeChanges(nodes, []any{"body", "nodes"}, &problems)
	}
	if edges := body.Get("edges"); edges.Given() {
		c.Edges, c.HasEdges = workflow.ReadEdges(edges, []any{"body", "edges"}, &problems), true
	}
	if variables := body.Get("required_input_variables"); variables.Given() {
		c.Variables, c.HasVariables = workflow.ReadVariables(variables, []any{"body", "required_input_variables"}, &problems), true
	}
	must(0, problems.Err())(t)
	return c
}

// one is the smallest workflow that is right.
const one = `{"nodes":[{"name":"a","node_type":"VARIABLE","configuration":{},"is_output_node":true}]}`

// create makes a workflow with labels.
func (r *registry) create(name, text string, labels ...string) *workflow.Record {
	r.t.Helper()
	record, created, err := r.Create(r.ctx, r.workspace, workflow.CreateInput{
		Name: &name, Definition: define(r.t, text), Release: workflow.Release{Labels: labels},
	})
	if err != nil || !created {
		r.t.Fatalf("Create(%s) = %v, %v", name, created, err)
	}
	return record
}

func (r *registry) patch(identifier, text string, labels ...string) *workflow.Record {
	r.t.Helper()
	return must(r.Patch(r.ctx, r.workspace, identifier, workflow.Patch{
		Changes: change(r.t, text), Release: workflow.Release{Labels: labels},
	}))(r.t)
}

func (r *registry) get(identifier string, version workflow.Version) *workflow.Record {
	r.t.Helper()
	return must(r.Get(r.ctx, r.workspace, identifier, version))(r.t)
}

// dump is everything that a workspace holds.
type dump struct {
	Entities    []entity.Entity
	Versions    map[int64][]entity.Version
	Labels      map[int64][]entity.Label
	ExternalIDs map[int64][]entity.ExternalID
}

func (r *registry) dump() dump {
	r.t.Helper()
	all, _, err := r.catalog.ListEntities(r.ctx, entity.Query{
		WorkspaceID: r.workspace, Status: entity.LiveOrDeleted, Sort: entity.ByID, Ascending: true,
	})
	must(0, err)(r.t)
	d := dump{Entities: all, Versions: map[int64][]entity.Version{}}
	var ids []int64
	for _, e := range all {
		ids = append(ids, e.ID)
		versions, _, err := r.catalog.ListVersions(r.ctx, r.workspace, e.ID, entity.Page{})
		must(0, err)(r.t)
		d.Versions[e.ID] = versions
	}
	d.Labels = must(r.catalog.LabelsByEntity(r.ctx, r.workspace, ids))(r.t)
	d.ExternalIDs = must(r.catalog.ExternalIDsByEntity(r.ctx, r.workspace, ids))(r.t)
	return d
}

// unchanged fails the test when do changes anything.
func (r *registry) unchanged(do func()) {
	r.t.Helper()
	before := r.dump()
	do()
	if diff := cmp.Diff(before, r.dump()); diff != "" {
		r.t.Errorf("something was left behind (-before +after):\n%s", diff)
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
