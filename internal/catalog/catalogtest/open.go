// Package catalogtest opens catalogs for the tests of all packages. It imports
// little, because it is compiled once more for each package that the catalog
// imports.
package catalogtest

import (
	"context"
	"database/sql"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
)

// emptyFile is an empty catalog on SQLite. Copying it takes a fraction of the time
// of the migrations.
var emptyFile = sync.OnceValues(func() (content []byte, err error) {
	folder, err := os.MkdirTemp("", "catalogtest-")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	path := filepath.Join(folder, "catalog.db")
	if err := migrate("sqlite:" + path); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
})

// migrate makes an empty catalog at an address.
func migrate(dsn string) error {
	c, err := catalog.Open(context.Background(), dsn)
	if err != nil {
		return err
	}
	return c.Close()
}

// SQLite returns the address of a new, empty catalog on SQLite.
func SQLite(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "catalog.db")
	check.OK(t, os.WriteFile(path, check.Must(emptyFile())(t), 0o600))
	return "sqlite:" + path
}

// PostgreSQL returns the address of a new, empty catalog on PostgreSQL. TestMain
// of the package must call pgtest.Main.
func PostgreSQL(t testing.TB) string {
	t.Helper()
	return pgtest.Copy(t, migrate)
}

// OnEachEngine runs a test with the address of a new, empty catalog on every
// engine.
func OnEachEngine(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	onEach(t, map[string]func(testing.TB) string{"SQLite": SQLite, "PostgreSQL": PostgreSQL}, test)
}

// OnEachNewDatabase runs a test with the address of a database on every engine
// that no catalog has been opened on.
func OnEachNewDatabase(t *testing.T, test func(t *testing.T, dsn string)) {
	t.Helper()
	onEach(t, map[string]func(testing.TB) string{"SQLite": NewSQLite, "PostgreSQL": pgtest.Start}, test)
}

// NewSQLite returns an address at which there is no SQLite file yet.
func NewSQLite(t testing.TB) string { return "sqlite:" + filepath.Join(t.TempDir(), "catalog.db") }

func onEach(t *testing.T, engines map[string]func(testing.TB) string, test func(t *testing.T, dsn string)) {
	t.Helper()
	t.Parallel()
	for name, dsn := range engines {
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
		file := url.URL{Scheme: "file", Path: path, OmitHost: true, RawQuery: "_busy_timeout=10000"}
		driver, address = "sqlite", file.String()
	}
	pool := check.Must(sql.Open(driver, address))(t)
	t.Cleanup(func() { check.OK(t, pool.Close()) })
	return pool
}
