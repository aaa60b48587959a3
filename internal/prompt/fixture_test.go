package prompt_test

import (
	"context"
	"encoding/json"
	"os"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/prompt/template"
	"github.com/promptuary/promptuary/internal/tool"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// registry is a service over a real catalog with two workspaces, and shortcuts
// that fail the test instead of returning an error.
type registry struct {
	*prompt.Service
	tools     *tool.Service
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
	service, tools := prompt.NewService(c), tool.NewService(tool.Options{Catalog: c})
	service.UseTools(tools)
	return &registry{Service: service, tools: tools, t: t, ctx: t.Context(), catalog: c, dsn: dsn}
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
		panic(err)
	}
	return v
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
	return prompt.Content{Template: template.Normalize(parse(`{"type":"completion","content":` + items(texts...) + `}`))}
}

// message is a user's message with one text.
func message(text string) string { return `{"role":"user","content":` + items(text) + `}` }

func chat(texts ...string) prompt.Content {
	list := "["
	for i, text := range texts {
		if i > 0 {
			list += ","
		}
		list += message(text)
	}
	return prompt.Content{Template: template.Normalize(parse(`{"type":"chat","messages":` + list + `]}`))}
}

// texts returns what the text items of a template say, in their order.
func texts(tmpl []byte) []string {
	var all []string
	add := func(content jsontree.Value) {
		for _, item := range content.Elems() {
			all = append(all, item.Get("text").Str())
		}
	}
	v := parse(string(tmpl))
	add(v.Get("content"))
	for _, m := range v.Get("messages").Elems() {
		add(m.Get("content"))
	}
	return all
}

// publish publishes under a name with labels.
func (r *registry) publish(name string, content prompt.Content, labels ...string) *prompt.Record {
	r.t.Helper()
	return must(r.Publish(r.ctx, r.workspace, prompt.Publication{
		Name: name, Content: content, Release: prompt.Release{Labels: labels},
	}))(r.t)
}

func (r *registry) get(identifier string, version prompt.Version) *prompt.Template {
	r.t.Helper()
	return must(r.Get(r.ctx, r.workspace, identifier, version))(r.t)
}

func (r *registry) prepare(identifier string, in prompt.Request) *prompt.Run {
	r.t.Helper()
	return must(r.Prepare(r.ctx, r.workspace, identifier, in))(r.t)
}

func (r *registry) folder(name string) int64 { return r.entity(entity.KindFolder, name).ID }

// entity creates an entity of another kind.
func (r *registry) entity(kind entity.Kind, name string) entity.Entity {
	r.t.Helper()
	return must(r.catalog.CreateEntity(r.ctx, entity.New{WorkspaceID: r.workspace, Kind: kind, Name: name}))(r.t)
}

func (r *registry) attach(id int64, ref entity.ExternalRef) {
	r.t.Helper()
	if err := r.catalog.AttachExternalID(r.ctx, r.workspace, id, ref); err != nil {
		r.t.Fatal(err)
	}
}

func (r *registry) remove(id int64) {
	r.t.Helper()
	must(r.catalog.SoftDelete(r.ctx, r.workspace, []int64{id}))(r.t)
}

// dump is everything that a workspace holds.
type dump struct {
	Entities    []entity.Entity
	Versions    map[int64][]entity.Version
	Labels      map[int64][]entity.Label
	ExternalIDs map[int64][]entity.ExternalID
	ABTests     []entity.ABTest
}

func (r *registry) dump() dump {
	r.t.Helper()
	all, _, err := r.catalog.ListEntities(r.ctx, entity.Query{
		WorkspaceID: r.workspace, Status: entity.LiveOrDeleted, Sort: entity.ByID, Ascending: true,
	})
	if err != nil {
		r.t.Fatal(err)
	}
	d := dump{Entities: all, Versions: map[int64][]entity.Version{}}
	var ids []int64
	for _, e := range all {
		ids = append(ids, e.ID)
		versions, _, err := r.catalog.ListVersions(r.ctx, r.workspace, e.ID, entity.Page{})
		if err != nil {
			r.t.Fatal(err)
		}
		d.Versions[e.ID] = versions
	}
	d.Labels = must(r.catalog.LabelsByEntity(r.ctx, r.workspace, ids))(r.t)
	d.ExternalIDs = must(r.catalog.ExternalIDsByEntity(r.ctx, r.workspace, ids))(r.t)
	d.ABTests = must(r.catalog.ListABTests(r.ctx, r.workspace, nil))(r.t)
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

// refused fails the test unless err is a fault of the kind.
func refused(t testing.TB, err error, kind fault.Kind) {
	t.Helper()
	if fault.KindOf(err) != kind || err == nil {
		t.Errorf("got the error %v (kind %d), want one of kind %d", err, fault.KindOf(err), kind)
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
