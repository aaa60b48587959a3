package catalog_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func sqliteDSN(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") }

func postgresDSN(t *testing.T) string { return pgtest.Start(t) }

// onEachEngine runs a test with the address of a new, empty catalog.
func onEachEngine(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	t.Parallel()
	for name, dsn := range map[string]func(*testing.T) string{"SQLite": sqliteDSN, "PostgreSQL": postgresDSN} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, dsn(t))
		})
	}
}

func open(t *testing.T, dsn string, options ...catalog.Option) *catalog.Catalog {
	t.Helper()
	c, err := catalog.Open(t.Context(), dsn, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestSQLite(t *testing.T) {
	t.Parallel()
	catalogtest.Run(t, func(t *testing.T) *catalog.Catalog { return open(t, sqliteDSN(t)) })
}

func TestPostgreSQL(t *testing.T) {
	t.Parallel()
	catalogtest.Run(t, func(t *testing.T) *catalog.Catalog { return open(t, postgresDSN(t)) })
}
