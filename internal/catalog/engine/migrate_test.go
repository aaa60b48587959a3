package engine_test

import (
	"database/sql"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
)

// texts returns the sorted values of a query with one column.
func texts(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	all := []string{}
	for rows.Next() {
		var one string
		if err := rows.Scan(&one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	slices.Sort(all)
	return all
}

const sqliteSchema = `
SELECT m.name || '.' || c.name || ' ' || LOWER(c.type) || CASE WHEN c."notnull" OR c.pk THEN '' ELSE ' null' END
FROM sqlite_master AS m, pragma_table_info(m.name) AS c
WHERE m.type = 'table'
AND m.name NOT LIKE 'sqlite%'
AND m.name <> 'catalog_migration'`

// workspace_revision is for several processes, which SQLite does not support;
// clock is a view.
const postgresSchema = `
SELECT table_name || '.' || column_name || ' ' ||
REPLACE(REPLACE(data_type, 'bigint', 'integer'), 'bytea', 'blob') ||
CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END ||
CASE WHEN data_type = 'text' AND COALESCE(collation_name, '') <> 'C' THEN ' without COLLATE "C"' ELSE '' END
FROM information_schema.columns
WHERE table_schema = 'public'
AND table_name NOT IN ('catalog_migration', 'workspace_revision', 'clock')`

// Both folders of migrations must create the same tables.
func TestEnginesHaveTheSameSchema(t *testing.T) {
	t.Parallel()
	lite := texts(t, catalogtest.Open(t, catalogtest.SQLite(t)).Pool(), sqliteSchema)
	pg := texts(t, catalogtest.Open(t, catalogtest.PostgreSQL(t)).Pool(), postgresSchema)
	if diff := cmp.Diff(lite, pg); diff != "" {
		t.Errorf("mismatch (-SQLite +PostgreSQL):\n%s", diff)
	}
	if len(lite) < 60 {
		t.Errorf("got only %d columns", len(lite))
	}
}

// migrations returns the migrations of an engine.
func migrations(t *testing.T, c *catalog.Catalog, dsn string) *goose.Provider {
	t.Helper()
	dialect, folder := goose.DialectSQLite3, "../migrations/sqlite"
	if strings.HasPrefix(dsn, "postgres") {
		dialect, folder = goose.DialectPostgres, "../migrations/postgres"
	}
	provider, err := goose.NewProvider(dialect, c.Pool(), os.DirFS(folder),
		goose.WithDisableGlobalRegistry(true), goose.WithTableName("catalog_migration"))
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

func TestMigratesDownAndUp(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		provider := migrations(t, c, dsn)
		if _, err := provider.DownTo(t.Context(), 0); err != nil {
			t.Fatal(err)
		}
		if err := c.Ping(t.Context()); err == nil {
			t.Error("tables are left")
		}
		if err := catalogtest.Open(t, dsn).Ping(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// creations were made before the accounts of creators were stored.
var creations = []string{
	`INSERT INTO account (email, email_folded, created_at) VALUES ('bob@x.test', 'BOB@X.TEST', 1), ('Ann@x.test', 'ANN@X.TEST', 1)`,
	`INSERT INTO workspace (name, created_at) VALUES ('a', 1)`,
	`INSERT INTO entity (id, workspace_id, kind, variant, name, name_folded, tags, creator, created_at, updated_at)
VALUES (1, 1, 'report', '', 'a', 'A', '[]', 'Ann@x.test', 1, 1), (2, 1, 'report', '', 'b', 'B', '[]', 'who@x.test', 1, 1),
(3, 1, 'report', '', 'c', 'C', '[]', NULL, 1, 1)`,
	`INSERT INTO version (id, entity_id, number, body, creator, created_at) VALUES (4, 1, 1, '{}', 'Ann@x.test', 1), (5, 1, 2, '{}', NULL, 1)`,
	`INSERT INTO report (entity_id, dataset_id) VALUES (1, 1)`,
	`INSERT INTO report_run (id, workspace_id, report_id, dataset_id, name, tags, row_count, cells, creator, created_at, updated_at)
VALUES (6, 1, 1, 1, 'r', '[]', 0, 0, 'bob@x.test', 1, 1)`,
}

// TestMigratesCreators migrates data of an older program.
func TestMigratesCreators(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		provider := migrations(t, c, dsn)
		if _, err := provider.DownTo(t.Context(), 8); err != nil {
			t.Fatal(err)
		}
		for _, statement := range creations {
			mustExec(t, c, statement)
		}
		if _, err := provider.Up(t.Context()); err != nil {
			t.Fatal(err)
		}
		got := texts(t, c.Pool(), `
SELECT CAST(made.id AS TEXT) || ' ' || COALESCE(account.email, 'nobody')
FROM (
SELECT id, creator_id
FROM entity
UNION ALL
SELECT id, creator_id
FROM version
UNION ALL
SELECT id, creator_id
FROM report_run) AS made
LEFT JOIN account ON account.id = made.creator_id`)
		want := []string{"1 Ann@x.test", "2 nobody", "3 nobody", "4 Ann@x.test", "5 nobody", "6 bob@x.test"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("creators (-want +got):\n%s", diff)
		}
	})
}

// TestMigratesUUIDs migrates skill collections of an older program, whose variants
// were their UUIDs, and back.
func TestMigratesUUIDs(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		provider := migrations(t, c, dsn)
		check.Must(provider.DownTo(t.Context(), 47))(t)
		mustExec(t, c, `INSERT INTO workspace (name, created_at) VALUES ('a', 1)`)
		mustExec(t, c, `INSERT INTO entity (id, workspace_id, kind, variant, name, name_folded, tags, created_at, updated_at)
VALUES (1, 1, 'skill', '0f8fad5b', 'a', 'A', '[]', 1, 1), (2, 1, 'prompt', 'snippet', 'b', 'B', '[]', 1, 1)`)
		check.Must(provider.Up(t.Context()))(t)
		check.Equal(t, "variants and UUIDs", texts(t, c.Pool(), `SELECT kind || ' ' || variant || ' ' || COALESCE(uuid, 'none') FROM entity ORDER BY id`),
			[]string{"prompt snippet none", "skill  0f8fad5b"})
		check.Must(provider.DownTo(t.Context(), 47))(t)
		check.Equal(t, "variants", texts(t, c.Pool(), `SELECT variant FROM entity ORDER BY id`), []string{"0f8fad5b", "snippet"})
	})
}

// TestMigratesInstallation migrates a catalog of an older program, which may be
// bound to its logs, and an empty one, which may not.
func TestMigratesInstallation(t *testing.T) {
	for name, test := range map[string]struct {
		workspaces int
		want       []string
	}{"used": {2, []string{""}}, "empty": {0, []string{}}} {
		t.Run(name, func(t *testing.T) {
			catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
				c := catalogtest.Open(t, dsn)
				provider := migrations(t, c, dsn)
				if _, err := provider.DownTo(t.Context(), 9); err != nil {
					t.Fatal(err)
				}
				for n := range test.workspaces {
					mustExec(t, c, `INSERT INTO workspace (name, created_at) VALUES ('`+string(rune('a'+n))+`', 1)`)
				}
				if _, err := provider.Up(t.Context()); err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(test.want, texts(t, c.Pool(), `SELECT id FROM installation`)); diff != "" {
					t.Errorf("ids (-want +got):\n%s", diff)
				}
			})
		})
	}
}

func TestOpenRejectsNewerCatalog(t *testing.T) {
	catalogtest.OnEachNewDatabase(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		mustExec(t, c, `INSERT INTO catalog_migration (version_id, is_applied) VALUES (99999, TRUE)`)
		again, err := catalog.Open(t.Context(), dsn)
		if err == nil {
			t.Fatal("opened", again.Close())
		}
		if !strings.Contains(err.Error(), "a newer program has migrated this catalog") {
			t.Errorf("got %v", err)
		}
	})
}
