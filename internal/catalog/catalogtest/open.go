package catalogtest

import (
	"database/sql"
	"path/filepath"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
)

// SQLite returns the address of a new, empty catalog on SQLite.
func SQLite(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") }

// PostgreSQL returns the address of a new, empty catalog on PostgreSQL. TestMain
// of the package must call pgtest.Main.
func PostgreSQL(t testing.TB) string { return pgtest.Start(t) }

// OnEachEngine runs a test with the address of a new, empty catalog on every
// engine.
func OnEachEngine(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	t.Parallel()
	for name, dsn := range map[string]func(testing.TB) string{"SQLite": SQLite, "PostgreSQL": PostgreSQL} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, dsn(t))
		})
	}
}

// Open returns the catalog at an address. It is closed when the test ends.
func Open(t testing.TB, dsn string, options ...catalog.Option) *catalog.Catalog {
	t.Helper()
	c := check.Must(catalog.Open(t.Context(), dsn, options...))(t)
	t.Cleanup(func() { check.OK(t, c.Close()) })
	return c
}

// Raw returns a connection pool to the catalog at an address, for statements
// that the catalog itself does not run. It is closed when the test ends.
func Raw(t testing.TB, dsn string) *sql.DB {
	t.Helper()
	driver, address := "pgx", dsn
	if path, isFile := strings.CutPrefix(dsn, "sqlite:"); isFile {
		driver, address = "sqlite", "file:"+path+"?_busy_timeout=10000"
	}
	pool := check.Must(sql.Open(driver, address))(t)
	t.Cleanup(func() { check.OK(t, pool.Close()) })
	return pool
}
