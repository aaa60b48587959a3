package prompt_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/template"
	"github.com/promptuary/promptuary/internal/tool"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// suite is a service over a real catalog with two workspaces, with helpers that
// fail the test on errors.
type suite struct {
	*prompt.Service
	labels    *registry.Labels
	tools     *tool.Service
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
	tools := tool.NewService(tool.Options{Store: c.Entities})
	return &suite{Service: prompt.NewService(c.Entities, tools), labels: registry.NewLabels(c.Entities), tools: tools, t: t, ctx: access.AsSystem(t.Context()), catalog: c, dsn: dsn}
}

// again returns the registry as another process sees it.
func (r *suite) again() *suite {
	r.t.Helper()
	other := openSuite(r.t, r.dsn)
	other.workspace, other.other = r.workspace, r.other
	return other
}

// items returns content with a text item for each of the texts.
func items(texts ...string) string {
	list := make([]map[string]string, len(texts))
	for i, text := range texts {
		list[i] = map[string]string{"type": "text", "text": text}
	}
	encoded, err := json.Marshal(list)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

func completion(texts ...string) prompt.Content {
	return prompt.Content{Template: template.Normalize(check.JSON(`{"type":"completion","content":` + items(texts...) + `}`))}
}

// message returns a user message with one text.
func message(text string) string { return `{"role":"user","content":` + items(text) + `}` }

func chat(texts ...string) prompt.Content {
	list := "["
	for i, text := range texts {
		if i > 0 {
			list += ","
		}
		list += message(text)
	}
	return prompt.Content{Template: template.Normalize(check.JSON(`{"type":"chat","messages":` + list + `]}`))}
}

// texts returns the text items of a template in order.
func texts(tmpl []byte) []string {
	var all []string
	add := func(content jsontree.Value) {
		for _, item := range content.Elems() {
			all = append(all, item.Get("text").Str())
		}
	}
	v := check.JSON(string(tmpl))
	add(v.Get("content"))
	for _, m := range v.Get("messages").Elems() {
		add(m.Get("content"))
	}
	return all
}

// publish publishes under a name with labels.
func (r *suite) publish(name string, content prompt.Content, labels ...string) *prompt.Record {
	r.t.Helper()
	return check.Must(r.Publish(r.ctx, r.workspace, prompt.Publication{
		Name: name, Content: content, Release: registry.Release{Labels: labels},
	}))(r.t)
}

func (r *suite) get(identifier string, version registry.Selector) *prompt.Template {
	r.t.Helper()
	return check.Must(r.Get(r.ctx, r.workspace, identifier, version))(r.t)
}

func (r *suite) prepare(identifier string, in prompt.Request) *prompt.Run {
	r.t.Helper()
	return check.Must(r.Prepare(r.ctx, r.workspace, identifier, in))(r.t)
}

// owner returns a template as the owner of labels.
func (r *suite) owner(id int64) entity.Owner {
	return entity.Owner{Workspace: r.workspace, Kind: entity.KindPrompt, ID: id}
}

func (r *suite) folder(name string) int64 { return r.entity(entity.KindFolder, name).ID }

// entity creates an entity of another kind.
func (r *suite) entity(kind entity.Kind, name string) entity.Entity {
	r.t.Helper()
	return check.Must(r.catalog.Entities.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: kind, Name: name}))(r.t)
}

func (r *suite) attach(id int64, ref entity.ExternalRef) {
	r.t.Helper()
	if err := r.catalog.Entities.AttachExternalID(r.ctx, r.workspace, id, ref); err != nil {
		r.t.Fatal(err)
	}
}

func (r *suite) remove(id int64) {
	r.t.Helper()
	check.Must(r.catalog.Entities.SoftDelete(r.ctx, r.workspace, []int64{id}))(r.t)
}

// contents returns everything in the workspace.
func (r *suite) contents() catalogtest.Contents {
	r.t.Helper()
	return catalogtest.ContentsOf(r.t, r.catalog, r.workspace)
}

// unchanged fails the test if do changes anything.
func (r *suite) unchanged(do func()) {
	r.t.Helper()
	catalogtest.Unchanged(r.t, r.catalog, r.workspace, do)
}
