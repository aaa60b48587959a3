package catalog_test

import (
	"os"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/catalog/storetest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// TestConformance runs the suite on every engine, and compares the SQL that the
// stores ran with the golden files.
func TestConformance(t *testing.T) {
	t.Parallel()
	var sql recorder
	t.Cleanup(func() { sql.compare(t) })
	for name, dsn := range map[string]func(testing.TB) string{"SQLite": catalogtest.SQLite, "PostgreSQL": catalogtest.PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			storetest.Run(t, func(t *testing.T) *catalog.Catalog {
				return catalogtest.Open(t, dsn(t), catalog.WithTrace(sql.record))
			})
		})
	}
}

func TestReplicasSeeChanges(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	storetest.CachedReaders(t, catalogtest.Open(t, dsn), catalogtest.Open(t, dsn))
}
