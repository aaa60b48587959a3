package app_test

import (
	"bytes"
	"context"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// serverOn returns a server with its own data folder on a catalog.
func serverOn(t *testing.T, dsn string) installed {
	t.Helper()
	i := installed{t, config.Default()}
	i.cfg.Data, i.cfg.APIKey, i.cfg.Catalog, i.cfg.Addr = t.TempDir(), apiKey, dsn, "127.0.0.1:0"
	return i
}

// start opens the program, which the caller closes.
func (i installed) start() *app.App {
	i.t.Helper()
	return check.Must(app.Open(context.Background(), i.cfg, slog.New(slog.DiscardHandler), "test"))(i.t)
}

func TestRefusesSecondServerWithOwnLogs(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	first, second := serverOn(t, dsn), serverOn(t, dsn)
	running := first.start()
	host := check.Must(os.Hostname())(t)
	second.refused("in use by the server with the data folder "+first.cfg.Data+" on "+host, "cannot share a catalog", "stop that server first")
	check.OK(t, running.Close(context.Background()))
	check.OK(t, second.open())
	check.OK(t, first.open())
}

// TestServersForTestsShareACatalog uses the option that lets several servers
// with their own logs run.
func TestServersForTestsShareACatalog(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	first, second := serverOn(t, dsn), serverOn(t, dsn)
	first.cfg.Logs, second.cfg.Logs = config.LogsPerServer, config.LogsPerServer
	running := first.start()
	check.OK(t, second.open())
	check.OK(t, running.Close(context.Background()))
}

func TestStartsAfterServerHasCrashed(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	server := serverOn(t, dsn)
	check.OK(t, server.open())
	check.Must(catalogtest.Raw(t, dsn).Exec(`UPDATE installation SET server = 'gone', server_until = 2000000 + (SELECT micros FROM clock)`))(t)
	begun := time.Now()
	check.OK(t, server.open())
	if waited := time.Since(begun); waited < 2*time.Second {
		t.Errorf("the server started after %s, within the claim of another one", waited)
	}
}

// TestStopsWhenAnotherServerHasTheCatalog gives the catalog to another server, as
// happens when this one is suspended.
func TestStopsWhenAnotherServerHasTheCatalog(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	running := serverOn(t, dsn).start()
	check.Must(catalogtest.Raw(t, dsn).Exec(`UPDATE installation SET server = 'other', server_until = 60000000 + (SELECT micros FROM clock)`))(t)
	var out bytes.Buffer
	if err := running.Serve(t.Context(), &out); err == nil || !strings.Contains(err.Error(), "another server has taken the catalog") {
		t.Errorf("the server ended with %v", err)
	}
	check.OK(t, running.Close(context.Background()))
}
