package release_test

import (
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/release"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

type fixture struct {
	*release.Service
	t       *testing.T
	catalog *catalog.Catalog
	owner   entity.Owner // with versions 1 and 2
}

func onEachEngine(t *testing.T, test func(t *testing.T, f *fixture)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		f := &fixture{Service: release.NewService(c.Entities), t: t, catalog: c}
		f.owner = f.workflow(check.Must(c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "first"))(t).ID)
		test(t, f)
	})
}

func (f *fixture) workflow(workspace int64) entity.Owner {
	f.t.Helper()
	made := check.Must(f.catalog.Entities.CreateEntity(access.AsSystem(f.t.Context()), entity.New{WorkspaceID: workspace, Kind: entity.KindWorkflow, Name: "flow"}))(f.t)
	for range 2 {
		check.Must(f.catalog.Entities.AddVersion(access.AsSystem(f.t.Context()), workspace, made.ID, entity.NewVersion{Body: []byte(`{}`)}))(f.t)
	}
	return entity.Owner{Workspace: workspace, Kind: entity.KindWorkflow, ID: made.ID}
}

// labels returns the versions that the labels point at, by name.
func (f *fixture) labels() map[string]int64 {
	f.t.Helper()
	at := map[string]int64{}
	for _, label := range check.Must(f.catalog.Entities.ListLabels(access.AsSystem(f.t.Context()), f.owner.Workspace, f.owner.ID))(f.t) {
		at[label.Name] = label.VersionNumber
	}
	return at
}

func TestALabelIsCreatedMovedAndDeleted(t *testing.T) {
	onEachEngine(t, func(t *testing.T, f *fixture) {
		made := check.Must(f.Point(access.AsSystem(t.Context()), f.owner, "prod", 2))(t)
		moved := check.Must(f.Point(access.AsSystem(t.Context()), f.owner, "prod", 1))(t)
		check.Equal(t, "the label's id", moved.ID, made.ID)
		check.Equal(t, "the version in the answer", moved.VersionNumber, int64(1))
		check.Must(f.Point(access.AsSystem(t.Context()), f.owner, "qa", 2))(t)
		check.Equal(t, "labels", f.labels(), map[string]int64{"prod": 1, "qa": 2})
		check.OK(t, f.Delete(access.AsSystem(t.Context()), f.owner, "prod"))
		check.Equal(t, "labels", f.labels(), map[string]int64{"qa": 2})
	})
}

func TestWhatIsNotThere(t *testing.T) {
	onEachEngine(t, func(t *testing.T, f *fixture) {
		check.Must(f.Point(access.AsSystem(t.Context()), f.owner, "prod", 1))(t)
		other := f.workflow(check.Must(f.catalog.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "second"))(t).ID)
		asTool, elsewhere, unknown := f.owner, f.owner, f.owner
		asTool.Kind, elsewhere.Workspace, unknown.ID = entity.KindTool, other.Workspace, 999
		for _, owner := range []entity.Owner{asTool, elsewhere, unknown} {
			check.Refused(t, check.Failure(f.Point(access.AsSystem(t.Context()), owner, "prod", 2)), fault.NotFound, entity.NotFound(owner.Kind).Error())
			check.Refused(t, f.Delete(access.AsSystem(t.Context()), owner, "prod"), fault.NotFound, entity.NotFound(owner.Kind).Error())
		}
		check.Refused(t, check.Failure(f.Point(access.AsSystem(t.Context()), f.owner, "prod", 3)), fault.NotFound, "Version not found")
		check.Refused(t, f.Delete(access.AsSystem(t.Context()), f.owner, "Prod"), fault.NotFound, "Release label not found")
		check.Refused(t, check.Failure(f.Point(access.AsSystem(t.Context()), f.owner, " ", 1)), fault.Invalid, "label must not be blank")
		check.Equal(t, "labels", f.labels(), map[string]int64{"prod": 1})
	})
}
