package registry_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/registry"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// note is the content of the kind that the tests register. A text is stored
// without surrounding white space, must not be rude, and can refer to others by
// "see <name>".
type note string

const maxNote = 100

func (n note) see() (name string, refers bool) { return strings.CutPrefix(string(n), "see ") }

// notes returns a kind of notes. The tests use the traits of workflows, which
// have unique names and labels.
func notes() registry.Kind[note] {
	return registry.Kind[note]{
		Kind: entity.KindWorkflow,
		Check: func(n note, edited bool) error {
			if strings.Contains(string(n), "rude") && !edited {
				return fault.BadRequestf("A note must not be rude")
			}
			return nil
		},
		Normalize: func(n note) note { return note(strings.TrimSpace(string(n))) },
		Encode:    func(n note) ([]byte, error) { return jsontree.AppendQuoted(nil, string(n)), nil },
		Decode: func(version *entity.Version) (note, error) {
			body, err := jsontree.Parse(version.Body)
			return note(body.Str()), err
		},
		MaxSize: maxNote,
		References: func(n note) []entity.Reference {
			if name, refers := n.see(); refers {
				return []entity.Reference{{Name: name}}
			}
			return nil
		},
	}
}

// suite is a registry of notes over a real catalog with two workspaces.
type suite struct {
	*registry.Registry[note]
	labels      *registry.Labels
	externalIDs *registry.ExternalIDs
	t           *testing.T
	ctx         context.Context
	catalog     *catalog.Catalog
	dsn         string
	workspace   int64
	other       int64
}

func onEachEngine(t *testing.T, test func(t *testing.T, s *suite)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(t, newSuite(t, dsn)) })
}

func newSuite(t *testing.T, dsn string) *suite {
	t.Helper()
	s := open(t, dsn)
	s.workspace = check.Must(s.catalog.Accounts.CreateWorkspace(s.ctx, "first"))(t).ID
	s.other = check.Must(s.catalog.Accounts.CreateWorkspace(s.ctx, "second"))(t).ID
	return s
}

func open(t *testing.T, dsn string) *suite {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	s := &suite{
		labels: registry.NewLabels(c.Entities), externalIDs: registry.NewExternalIDs(c.Entities),
		t: t, ctx: access.AsSystem(t.Context()), catalog: c, dsn: dsn,
	}
	s.use(notes())
	return s
}

// use replaces the registered kind.
func (s *suite) use(kind registry.Kind[note]) { s.Registry = registry.New(s.catalog.Entities, kind) }

// again returns the suite as another process sees it.
func (s *suite) again() *suite {
	s.t.Helper()
	other := open(s.t, s.dsn)
	other.workspace, other.other = s.workspace, s.other
	return other
}

// as returns a context of a caller with the permissions.
func (s *suite) as(held ...access.Permission) context.Context {
	return access.WithCaller(s.ctx, access.Caller{Workspace: s.workspace, Permissions: access.SetOf(held...)})
}

func (s *suite) create(name string, content note, labels ...string) *registry.Record[note] {
	s.t.Helper()
	return check.Must(s.Create(s.ctx, s.workspace, registry.CreateInput[note]{
		Name: name, Content: &content, Release: registry.Release{Labels: labels},
	}))(s.t)
}

func (s *suite) publish(name string, content note, labels ...string) *registry.Record[note] {
	s.t.Helper()
	record, _, err := s.Publish(s.ctx, s.workspace, registry.Publication[note]{
		Name: name, Content: content, Release: registry.Release{Labels: labels},
	})
	check.OK(s.t, err)
	return record
}

func (s *suite) get(identifier string, selector registry.Selector) *registry.Record[note] {
	s.t.Helper()
	return check.Must(s.Get(s.ctx, s.workspace, identifier, selector))(s.t)
}

// owner creates an entity without versions.
func (s *suite) owner(workspace int64, kind entity.Kind, name string) entity.Owner {
	s.t.Helper()
	created := check.Must(s.catalog.Entities.CreateEntity(s.ctx, entity.New{WorkspaceID: workspace, Kind: kind, Name: name}))(s.t)
	return entity.Owner{Workspace: workspace, Kind: kind, ID: created.ID}
}

// unchanged fails the test if do changes an entity of the workspace.
func (s *suite) unchanged(do func()) {
	s.t.Helper()
	catalogtest.Unchanged(s.t, s.catalog, s.workspace, do)
}
