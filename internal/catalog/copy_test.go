package catalog_test

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/skill"
)

// original is a SQLite catalog with rows that are easy to copy wrongly, and the
// highest id it has given.
func original(t *testing.T) (c *catalog.Catalog, workspace, last int64) {
	t.Helper()
	c = catalogtest.Open(t, catalogtest.SQLite(t))
	w := check.Must(c.Accounts.EnsureDefaultWorkspace(t.Context()))(t)
	create := func(kind entity.Kind, name string) entity.Entity {
		return check.Must(c.Entities.CreateEntity(t.Context(), entity.New{WorkspaceID: w.ID, Kind: kind, Name: name}))(t)
	}
	inner, outer := create(entity.KindFolder, "inner"), create(entity.KindFolder, "outer 'ü' \\N \t")
	check.Must(c.Entities.MoveEntities(t.Context(), w.ID, []int64{inner.ID}, &outer.ID))(t) // into a later row
	prompt := create(entity.KindPrompt, "prompt")
	check.Must(c.Entities.AddVersion(t.Context(), w.ID, prompt.ID, entity.NewVersion{Body: []byte(`{"text":"\\u0000 é 😀"}`)}))(t)
	check.OK(t, c.Skills.AddContent(t.Context(), w.ID, skill.Hash{0, 9}, []byte{0, 1, 0xff}))
	gone := create(entity.KindFolder, "gone")
	check.Must(c.Entities.RemoveEntities(t.Context(), w.ID, []int64{gone.ID}))(t)
	return c, w.ID, gone.ID
}

func ignore(int64, int64) {}

func rowsOf(t *testing.T, db *sql.DB, table string) (n int64) {
	t.Helper()
	check.OK(t, db.QueryRowContext(t.Context(), `SELECT COUNT(*) FROM `+table).Scan(&n))
	return n
}

func TestCopyKeepsEverything(t *testing.T) {
	t.Parallel()
	from, workspace, last := original(t)
	target := catalogtest.Open(t, catalogtest.PostgreSQL(t))
	var rows, total int64
	copied := check.Must(engine.Copy(t.Context(), from.DB, target.DB, func(n, all int64) { rows, total = rows+n, all }))(t)
	verified := int64(0)
	for _, c := range copied {
		verified += c.Rows
	}
	check.Equal(t, "progress", []int64{rows, verified}, []int64{total, total})
	list := func(c *catalog.Catalog) []entity.Entity {
		found, _, err := c.Entities.ListEntities(t.Context(), entity.Query{WorkspaceID: workspace})
		check.OK(t, err)
		return found
	}
	check.Equal(t, "entities", list(target), list(from))
	back := catalogtest.Open(t, catalogtest.SQLite(t))
	check.OK(t, engine.Export(t.Context(), target.DB, back.DB, func() error { return nil }))
	check.Equal(t, "entities after the way back", list(back), list(from))
	again := check.Must(engine.Copy(t.Context(), back.DB, catalogtest.Open(t, catalogtest.PostgreSQL(t)).DB, ignore))(t)
	check.Equal(t, "tables after the way back", again, copied)
	later := check.Must(back.Entities.CreateEntity(t.Context(), entity.New{WorkspaceID: workspace, Kind: entity.KindPrompt, Name: "next"}))(t)
	if later.ID <= last {
		t.Errorf("the way back gave the id %d again; the original had given %d", later.ID, last)
	}
	next := check.Must(target.Entities.CreateEntity(t.Context(), entity.New{WorkspaceID: workspace, Kind: entity.KindPrompt, Name: "next"}))(t)
	if next.ID <= last {
		t.Errorf("the copy gave the id %d again; the original had given %d", next.ID, last)
	}
	check.Must(target.Entities.RenameEntity(t.Context(), workspace, next.ID, "renamed"))(t)
}

func TestCopyRefusesATargetWithContent(t *testing.T) {
	t.Parallel()
	from, _, _ := original(t)
	dsn := catalogtest.PostgreSQL(t)
	target := catalogtest.Open(t, dsn)
	check.Must(target.Accounts.CreateWorkspace(t.Context(), "mine"))(t)
	_, err := engine.Copy(t.Context(), from.DB, target.DB, ignore)
	if err == nil || !strings.Contains(err.Error(), "the target is not empty") {
		t.Errorf("returned %v", err)
	}
	check.Equal(t, "entities", rowsOf(t, catalogtest.Raw(t, dsn), "entity"), 0)
	if _, err := engine.Copy(t.Context(), target.DB, from.DB, ignore); err == nil {
		t.Error("copied from PostgreSQL to SQLite")
	}
}

func TestCopyThatIsInterruptedLeavesNothing(t *testing.T) {
	t.Parallel()
	from, _, _ := original(t)
	dsn := catalogtest.PostgreSQL(t)
	target := catalogtest.Open(t, dsn)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	_, err := engine.Copy(ctx, from.DB, target.DB, func(int64, int64) {
		if n++; n == 5 {
			cancel()
		}
	})
	if err == nil {
		t.Fatal("the copy was not interrupted")
	}
	raw := catalogtest.Raw(t, dsn)
	for _, table := range []string{"workspace", "entity", "shared_id"} {
		check.Equal(t, table, rowsOf(t, raw, table), 0)
	}
	check.Must(engine.Copy(t.Context(), from.DB, target.DB, ignore))(t)
}

func TestCopyFindsDifferences(t *testing.T) {
	t.Parallel()
	from, _, _ := original(t)
	for name, change := range map[string]string{"a changed row": `NEW.body := NEW.body || ' '; RETURN NEW;`, "a missing row": `RETURN NULL;`} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dsn := catalogtest.PostgreSQL(t)
			target := catalogtest.Open(t, dsn)
			raw := catalogtest.Raw(t, dsn)
			check.Must(raw.ExecContext(t.Context(), fmt.Sprintf(`
CREATE FUNCTION change() RETURNS trigger AS $$ BEGIN %s END $$ LANGUAGE plpgsql;
CREATE TRIGGER change BEFORE INSERT ON version FOR EACH ROW EXECUTE FUNCTION change()`, change)))(t)
			_, err := engine.Copy(t.Context(), from.DB, target.DB, ignore)
			if err == nil || !strings.Contains(err.Error(), "copy the table version: the copy differs") {
				t.Errorf("returned %v", err)
			}
			check.Equal(t, "workspaces", rowsOf(t, raw, "workspace"), 0)
		})
	}
}
