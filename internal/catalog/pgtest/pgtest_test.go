package pgtest_test

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/promptuary/promptuary/internal/catalog/pgtest"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

func connect(t *testing.T, dsn string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	return conn
}

func TestStartCreatesNewDatabases(t *testing.T) {
	t.Parallel()
	first, second := connect(t, pgtest.Start(t)), connect(t, pgtest.Start(t))
	if _, err := first.Exec(t.Context(), `CREATE TABLE mark (id INT)`); err != nil {
		t.Fatal(err)
	}
	var visible bool
	if err := second.QueryRow(t.Context(), `SELECT to_regclass('mark') IS NOT NULL`).Scan(&visible); err != nil {
		t.Fatal(err)
	}
	if visible {
		t.Error("two calls share a database")
	}
}

func TestServerIsPrivate(t *testing.T) {
	t.Parallel()
	var addresses string
	if err := connect(t, pgtest.Start(t)).QueryRow(t.Context(), `SHOW listen_addresses`).Scan(&addresses); err != nil {
		t.Fatal(err)
	}
	if addresses != "" {
		t.Errorf("the server listens on %q, want no address at all", addresses)
	}
}
