package catalog_test

import (
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

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
	catalogtest.Run(t, func(t *testing.T) *catalog.Catalog { return open(t, catalogtest.SQLite(t)) })
}

func TestPostgreSQL(t *testing.T) {
	t.Parallel()
	catalogtest.Run(t, func(t *testing.T) *catalog.Catalog { return open(t, catalogtest.PostgreSQL(t)) })
}
