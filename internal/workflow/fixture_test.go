package workflow_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/step"
	"github.com/promptuary/promptuary/internal/workflow"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// simpleTypes has two minimal types, so that the tests check only the rules of
// graphs: VARIABLE, which accepts any configuration, and JOIN, which needs a
// list of sources.
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

func (simpleTypes) Retryable(nodeType string) bool { return nodeType == "JOIN" }

func (simpleTypes) Protect(_ int64, _ string, config jsontree.Value, _ func() (step.Previous, error)) (jsontree.Value, error) {
	return config, nil
}

// counter returns a generator of consecutive ids.
func counter() func() string {
	var n atomic.Int64
	return func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n.Add(1)) }
}

// suite is a service over a real catalog with two workspaces, with helpers that
// fail the test on errors.
type suite struct {
	*workflow.Service
	t         *testing.T
	ctx       context.Context
	catalog   *catalog.Catalog
	dsn       string
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
	r := openSuite(t, dsn)
	r.workspace = check.Must(r.catalog.Accounts.CreateWorkspace(r.ctx, "first"))(t).ID
	r.other = check.Must(r.catalog.Accounts.CreateWorkspace(r.ctx, "second"))(t).ID
	return r
}

func openSuite(t *testing.T, dsn string) *suite {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	return &suite{
		Service: workflow.NewService(c.Entities, simpleTypes{}, workflow.RandomID), t: t, ctx: access.AsSystem(t.Context()), catalog: c, dsn: dsn,
	}
}

// again returns the registry as another process sees it.
func (r *suite) again() *suite {
	r.t.Helper()
	other := openSuite(r.t, r.dsn)
	other.workspace, other.other = r.workspace, r.other
	return other
}

// define parses the body of a request.
func define(t testing.TB, text string) workflow.Definition {
	t.Helper()
	body := check.JSON(text)
	var problems fault.Problems
	d := workflow.Definition{Nodes: workflow.ReadNodes(body.Get("nodes"), []any{"body", "nodes"}, &problems)}
	if edges := body.Get("edges"); edges.Given() {
		d.Edges = workflow.ReadEdges(edges, []any{"body", "edges"}, &problems)
	}
	if variables := body.Get("required_input_variables"); variables.Given() {
		d.Variables = workflow.ReadVariables(variables, []any{"body", "required_input_variables"}, &problems)
	}
	check.Must(0, problems.Err())(t)
	return d
}

// change parses the body of a patch.
func change(t testing.TB, text string) workflow.Changes {
	t.Helper()
	body := check.JSON(text)
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
	check.Must(0, problems.Err())(t)
	return c
}

// one is the smallest valid workflow.
const one = `{"nodes":[{"name":"a","node_type":"VARIABLE","configuration":{},"is_output_node":true}]}`

// create creates a workflow with labels.
func (r *suite) create(name, text string, labels ...string) *workflow.Record {
	r.t.Helper()
	record, created, err := r.Create(r.ctx, r.workspace, workflow.CreateInput{
		Name: &name, Definition: define(r.t, text), Release: registry.Release{Labels: labels},
	})
	if err != nil || !created {
		r.t.Fatalf("Create(%s) = %v, %v", name, created, err)
	}
	return record
}

func (r *suite) patch(identifier, text string, labels ...string) *workflow.Record {
	r.t.Helper()
	return check.Must(r.Patch(r.ctx, r.workspace, identifier, workflow.Patch{
		Changes: change(r.t, text), Release: registry.Release{Labels: labels},
	}))(r.t)
}

func (r *suite) get(identifier string, version registry.Selector) *workflow.Record {
	r.t.Helper()
	return check.Must(r.Get(r.ctx, r.workspace, identifier, version))(r.t)
}

// unchanged fails the test if do changes anything.
func (r *suite) unchanged(do func()) {
	r.t.Helper()
	catalogtest.Unchanged(r.t, r.catalog, r.workspace, do)
}
