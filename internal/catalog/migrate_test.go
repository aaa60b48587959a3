package catalog_test

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
)

// texts returns the only column of a query, sorted.
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

// workspace_revision serves several processes, which SQLite never does.
const postgresSchema = `
SELECT table_name || '.' || column_name || ' ' ||
REPLACE(REPLACE(data_type, 'bigint', 'integer'), 'bytea', 'blob') ||
CASE is_nullable WHEN 'YES' THEN ' null' ELSE '' END ||
CASE WHEN data_type = 'text' AND COALESCE(collation_name, '') <> 'C' THEN ' without COLLATE "C"' ELSE '' END
FROM information_schema.columns
WHERE table_schema = 'public'
AND table_name NOT IN ('catalog_migration', 'workspace_revision')`

// Both folders of migrations must make the same tables.
func TestEnginesHaveOneSchema(t *testing.T) {
	t.Parallel()
	lite := texts(t, catalogtest.Open(t, catalogtest.SQLite(t)).DB(), sqliteSchema)
	pg := texts(t, catalogtest.Open(t, catalogtest.PostgreSQL(t)).DB(), postgresSchema)
	if diff := cmp.Diff(lite, pg); diff != "" {
		t.Errorf("mismatch (-SQLite +PostgreSQL):\n%s", diff)
	}
	if len(lite) < 60 {
		t.Errorf("got only %d columns", len(lite))
	}
}

func TestMigrationsGoDownAndUpAgain(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		dialect, folder := goose.DialectSQLite3, "migrations/sqlite"
		if strings.HasPrefix(dsn, "postgres") {
			dialect, folder = goose.DialectPostgres, "migrations/postgres"
		}
		provider, err := goose.NewProvider(dialect, c.DB(), os.DirFS(folder),
			goose.WithDisableGlobalRegistry(true), goose.WithTableName("catalog_migration"))
		if err != nil {
			t.Fatal(err)
		}
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

func TestOpenRefusesACatalogOfANewerProgram(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
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
