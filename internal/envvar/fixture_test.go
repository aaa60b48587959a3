package envvar_test

import (
	"context"
	"database/sql"
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
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/secret"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// world is a service over a real catalog with two workspaces, and shortcuts
// that fail the test instead of returning an error.
type world struct {
	*envvar.Service
	t       *testing.T
	ctx     context.Context
	catalog *catalog.Catalog
	dsn     string
	// home and away are workspaces, tool and sibling tools of home.
	home, away, tool, sibling envvar.Scope
}

// onEachEngine runs a test over a new catalog.
func onEachEngine(t *testing.T, test func(w *world)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) { test(newWorld(t, dsn)) })
}

func newWorld(t *testing.T, dsn string) *world {
	t.Helper()
	c := catalogtest.Open(t, dsn)
	w := &world{
		Service: envvar.NewService(c.Entities, c.EnvVars, secret.NewBox(secret.NewKey())),
		t:       t, ctx: access.AsSystem(t.Context()), catalog: c, dsn: dsn,
	}
	w.home.Workspace = check.Must(c.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.away.Workspace = check.Must(c.Accounts.CreateWorkspace(w.ctx, "away"))(t).ID
	w.tool = envvar.Scope{Workspace: w.home.Workspace, Tool: w.entity(entity.KindTool, "tool")}
	w.sibling = envvar.Scope{Workspace: w.home.Workspace, Tool: w.entity(entity.KindTool, "sibling")}
	return w
}

func (w *world) entity(kind entity.Kind, name string) int64 {
	w.t.Helper()
	created := check.Must(w.catalog.Entities.CreateEntity(w.ctx, entity.New{WorkspaceID: w.home.Workspace, Kind: kind, Name: name}))(w.t)
	return created.ID
}

// withKey returns a service with another key.
func (w *world) withKey(key secret.Key) *envvar.Service {
	return envvar.NewService(w.catalog.Entities, w.catalog.EnvVars, secret.NewBox(key))
}

// open connects to the catalog's database directly.
func (w *world) open() *sql.DB {
	w.t.Helper()
	driver, dsn := "pgx", w.dsn
	if path, ok := strings.CutPrefix(dsn, "sqlite:"); ok {
		driver, dsn = "sqlite", "file:"+path+"?_pragma=foreign_keys(1)"
	}
	db := check.Must(sql.Open(driver, dsn))(w.t)
	w.t.Cleanup(func() { _ = db.Close() })
	return db
}

func (w *world) exec(statement string) {
	w.t.Helper()
	check.Must(w.open().ExecContext(w.ctx, statement))(w.t)
}

func (w *world) fails(err error, kind fault.Kind) {
	w.t.Helper()
	if !fault.Is(err, kind) {
		w.t.Fatalf("got error %v, want a fault of kind %d", err, kind)
	}
}

func (w *world) equal(got, want any) {
	w.t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		w.t.Fatalf("mismatch (-want +got):\n%s", diff)
	}
}

func (w *world) create(scope envvar.Scope, key, value string) envvar.Variable {
	w.t.Helper()
	return check.Must(w.Create(w.ctx, scope, key, value))(w.t)
}

func (w *world) resolve(scope envvar.Scope) map[string]string {
	w.t.Helper()
	return check.Must(w.Resolve(w.ctx, scope.Workspace, scope.Tool))(w.t)
}
