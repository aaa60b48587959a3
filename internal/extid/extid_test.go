package extid_test

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/extid"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// fixture is a service with a prompt and a tool in one workspace, and a
// prompt in another.
type fixture struct {
	*extid.Service
	t                    *testing.T
	catalog              *catalog.Catalog
	prompt, tool, remote entity.Owner
}

func onEachEngine(t *testing.T, test func(t *testing.T, f *fixture)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newFixture(t, dsn)) })
}

func newFixture(t *testing.T, dsn string) *fixture {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	f := &fixture{Service: extid.NewService(c.Entities), t: t, catalog: c}
	first := check.Must(c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "first"))(t).ID
	second := check.Must(c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "second"))(t).ID
	f.prompt, f.tool = f.owner(first, entity.KindPrompt), f.owner(first, entity.KindTool)
	f.remote = f.owner(second, entity.KindPrompt)
	return f
}

func (f *fixture) owner(workspace int64, kind entity.Kind) entity.Owner {
	f.t.Helper()
	created := check.Must(f.catalog.Entities.CreateEntity(access.AsSystem(f.t.Context()), entity.New{WorkspaceID: workspace, Kind: kind, Name: "name"}))(f.t)
	return entity.Owner{Workspace: workspace, Kind: kind, ID: created.ID}
}

func (f *fixture) attach(owner entity.Owner, refs ...entity.ExternalRef) {
	f.t.Helper()
	for _, ref := range refs {
		if err := f.Attach(access.AsSystem(f.t.Context()), owner, ref); err != nil {
			f.t.Fatal(err)
		}
	}
}

// has fails the test unless the owner has exactly these external ids, in this
// order.
func (f *fixture) has(owner entity.Owner, want ...entity.ExternalRef) {
	f.t.Helper()
	got := []entity.ExternalRef{}
	for _, one := range check.Must(f.List(access.AsSystem(f.t.Context()), owner))(f.t) {
		got = append(got, one.ExternalRef)
	}
	if diff := cmp.Diff(append([]entity.ExternalRef{}, want...), got); diff != "" {
		f.t.Errorf("external ids (-want +got):\n%s", diff)
	}
}

var (
	a = entity.ExternalRef{Source: "crm", ID: "a/b +%?é"}
	b = entity.ExternalRef{Source: "crm", ID: "b"}
	c = entity.ExternalRef{Source: "CRM", ID: "b"}
)

func TestAttach(t *testing.T) {
	onEachEngine(t, func(t *testing.T, f *fixture) {
		f.has(f.prompt)
		f.attach(f.prompt, b, a, c, b)
		f.has(f.prompt, b, a, c)
		check.Fault(t, f.Attach(access.AsSystem(t.Context()), f.tool, a), fault.Conflict)
		f.has(f.prompt, b, a, c)
		f.has(f.tool)
		f.attach(f.remote, a) // another workspace has its own external ids
		f.has(f.remote, a)
	})
}

func TestDelete(t *testing.T) {
	onEachEngine(t, func(t *testing.T, f *fixture) {
		f.attach(f.prompt, a, b)
		check.Fault(t, f.Delete(access.AsSystem(t.Context()), f.tool, a), fault.NotFound)
		f.has(f.prompt, a, b)
		if err := f.Delete(access.AsSystem(t.Context()), f.prompt, a); err != nil {
			t.Fatal(err)
		}
		f.has(f.prompt, b)
		check.Fault(t, f.Delete(access.AsSystem(t.Context()), f.prompt, a), fault.NotFound)
		f.attach(f.tool, a)
		f.has(f.tool, a)
	})
}

func TestLengths(t *testing.T) {
	onEachEngine(t, func(t *testing.T, f *fixture) {
		longest := entity.ExternalRef{Source: strings.Repeat("字", 128), ID: strings.Repeat("字", 512)}
		f.attach(f.prompt, longest)
		f.has(f.prompt, longest)
		for _, ref := range []entity.ExternalRef{
			{ID: "x"}, {Source: "x"}, {Source: "x", ID: "\x00"}, {Source: "x", ID: "\xff"},
		} {
			check.Fault(t, f.Attach(access.AsSystem(t.Context()), f.prompt, ref), fault.Invalid)
		}
		f.has(f.prompt, longest)
	})
}

func TestUnknownOwners(t *testing.T) {
	onEachEngine(t, func(t *testing.T, f *fixture) {
		f.attach(f.prompt, a)
		gone := f.owner(f.prompt.Workspace, entity.KindWorkflow)
		f.attach(gone, b)
		check.Must(f.catalog.Entities.SoftDelete(access.AsSystem(t.Context()), gone.Workspace, []int64{gone.ID}))(t)
		for name, owner := range map[string]entity.Owner{
			"unknown":         {Workspace: f.prompt.Workspace, Kind: entity.KindPrompt, ID: 1 << 40},
			"another kind":    {Workspace: f.prompt.Workspace, Kind: entity.KindTool, ID: f.prompt.ID},
			"other workspace": {Workspace: f.remote.Workspace, Kind: entity.KindPrompt, ID: f.prompt.ID},
			"deleted":         gone,
		} {
			t.Run(name, func(t *testing.T) {
				check.Fault(t, f.Attach(access.AsSystem(t.Context()), owner, c), fault.NotFound)
				check.Fault(t, f.Delete(access.AsSystem(t.Context()), owner, a), fault.NotFound)
				_, err := f.List(access.AsSystem(t.Context()), owner)
				check.Fault(t, err, fault.NotFound)
			})
		}
		f.has(f.prompt, a)
		f.attach(f.tool, b) // the deleted entity has released it
	})
}
