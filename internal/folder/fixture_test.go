package folder_test

import (
	"context"
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// library is a service over a real catalog with two workspaces, and shortcuts
// that fail the test instead of returning an error.
type library struct {
	*folder.Service
	t         *testing.T
	ctx       context.Context
	catalog   *catalog.Catalog
	prompts   *prompt.Service
	dsn       string
	workspace int64
	other     int64
}

// onEachEngine runs a test over a new, empty library on each engine.
func onEachEngine(t *testing.T, test func(t *testing.T, l *library)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newLibrary(t, dsn)) })
}

// onSQLite returns a new, empty library for tests that do not depend on the
// engine.
func onSQLite(t *testing.T) *library {
	t.Helper()
	return newLibrary(t, catalogtest.SQLite(t))
}

func newLibrary(t *testing.T, dsn string) *library {
	t.Helper()
	l := openLibrary(t, dsn)
	l.workspace = check.Must(l.catalog.Accounts.CreateWorkspace(l.ctx, "first"))(t).ID
	l.other = check.Must(l.catalog.Accounts.CreateWorkspace(l.ctx, "second"))(t).ID
	return l
}

func openLibrary(t *testing.T, dsn string) *library {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	return &library{
		Service: folder.NewService(c.Entities), prompts: prompt.NewService(c.Entities, nil), t: t, ctx: access.AsSystem(t.Context()), catalog: c, dsn: dsn,
	}
}

// again returns the library as seen by another process.
func (l *library) again() *library {
	l.t.Helper()
	second := openLibrary(l.t, l.dsn)
	second.workspace, second.other = l.workspace, l.other
	return second
}

// folder creates a folder and returns its id; parent 0 is the root.
func (l *library) folder(name string, parent int64) int64 {
	l.t.Helper()
	in := folder.New{Name: name}
	if parent != 0 {
		in.ParentID = &parent
	}
	return check.Must(l.Create(l.ctx, l.workspace, in))(l.t).Entity.ID
}

// entity creates an entity of a kind and returns its id; folder 0 is the
// root.
func (l *library) entity(kind entity.Kind, name string, in int64) int64 {
	l.t.Helper()
	input := entity.New{WorkspaceID: l.workspace, Kind: kind, Name: name}
	if in != 0 {
		input.FolderID = &in
	}
	return check.Must(l.catalog.Entities.CreateEntity(l.ctx, input))(l.t).ID
}

// publish publishes a completion with a text and labels; folder 0 is the
// root.
func (l *library) publish(name, text string, in int64, labels ...string) int64 {
	l.t.Helper()
	quoted := string(jsontree.AppendQuoted(nil, text))
	parsed := check.Must(jsontree.Parse([]byte(`{"type":"completion","content":[{"type":"text","text":` + quoted + `}]}`)))(l.t)
	publication := prompt.Publication{
		Name: name, Content: prompt.Content{Template: template.Normalize(parsed)}, Release: registry.Release{Labels: labels},
	}
	if in != 0 {
		publication.FolderID = &in
	}
	return check.Must(l.prompts.Publish(l.ctx, l.workspace, publication))(l.t).Entity.ID
}

// abTest creates an A/B test for the label prod of a prompt.
func (l *library) abTest(name string, promptID, in int64) int64 {
	l.t.Helper()
	split := prompt.Split{Weights: []prompt.Weight{{Version: 1, Share: 100}}}
	test := prompt.NewABTest{Name: name, PromptID: promptID, Label: "prod", Split: split}
	if in != 0 {
		test.FolderID = &in
	}
	return check.Must(l.prompts.CreateABTest(l.ctx, l.workspace, test))(l.t).Entity.ID
}

// refs returns references by id only.
func refs(ids ...int64) []folder.Reference {
	list := make([]folder.Reference, len(ids))
	for i, id := range ids {
		list[i].ID = id
	}
	return list
}

// names returns the paths of everything in the workspace, by type and id.
func (l *library) names() []string {
	l.t.Helper()
	return paths(check.Must(l.Entities(l.ctx, folder.ListQuery{
		Filters: entity.Query{WorkspaceID: l.workspace}, Flatten: true,
	}))(l.t))
}

// paths returns the items as "folder/folder/name".
func paths(items []folder.Item) []string {
	all := []string{}
	for _, item := range items {
		path := ""
		for _, step := range item.Path {
			path += step.Name + "/"
		}
		all = append(all, path+item.Entity.Name)
	}
	return all
}

// unchanged fails the test if do changes anything.
func (l *library) unchanged(do func()) {
	l.t.Helper()
	catalogtest.Unchanged(l.t, l.catalog, l.workspace, do)
}
