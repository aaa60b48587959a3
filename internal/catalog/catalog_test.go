package catalog_test

import (
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func TestSQLite(t *testing.T) {
	t.Parallel()
	catalogtest.Run(t, func(t *testing.T) *catalog.Catalog { return catalogtest.Open(t, catalogtest.SQLite(t)) })
}

func TestPostgreSQL(t *testing.T) {
	t.Parallel()
	catalogtest.Run(t, func(t *testing.T) *catalog.Catalog { return catalogtest.Open(t, catalogtest.PostgreSQL(t)) })
}
