package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
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
	check.Must(catalogtest.Raw(t, dsn).Exec(`INSERT INTO server VALUES ('gone', 1, '', 0, 2000000 + (SELECT micros FROM clock), '{}')`))(t)
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
	check.Must(catalogtest.Raw(t, dsn).Exec(`INSERT INTO server VALUES ('other', 1, '', 0, 60000000 + (SELECT micros FROM clock), '{}')`))(t)
	var out bytes.Buffer
	if err := running.Serve(t.Context(), &out); err == nil || !strings.Contains(err.Error(), "another server has taken the catalog") {
		t.Errorf("the server ended with %v", err)
	}
	check.OK(t, running.Close(context.Background()))
}

// TestServersCountCallsTogether: a rate limit holds for a key, whichever server
// its calls reach, and each server lists both.
func TestServersCountCallsTogether(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	var servers []*app.App
	for range 2 {
		server := serverOn(t, dsn)
		server.cfg.Logs, server.cfg.SearchLimit = config.LogsPerServer, 3
		running := server.start()
		t.Cleanup(func() { check.OK(t, running.Close(context.Background())) })
		servers = append(servers, running)
	}
	search := func(server int) int {
		r := httptest.NewRequest(http.MethodPost, "/api/public/v2/requests/search", strings.NewReader(`{}`))
		r.Header.Set("X-API-KEY", apiKey)
		answer := httptest.NewRecorder()
		servers[server].Handler().ServeHTTP(answer, r)
		return answer.Code
	}
	got := []int{search(0), search(1), search(0), search(1), search(0)}
	if want := []int{200, 200, 200, 429, 429}; !slices.Equal(got, want) {
		t.Errorf("the calls were answered with %v, want %v", got, want)
	}
}

func TestHealthListsServers(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	first, second := serverOn(t, dsn), serverOn(t, dsn)
	first.cfg.Logs, second.cfg.Logs = config.LogsPerServer, config.LogsPerServer
	check.OK(t, first.open())
	check.Must(catalogtest.Raw(t, dsn).Exec(`INSERT INTO server VALUES ('crashed', 0, '1.0', 0, (SELECT micros FROM clock) - 1, '{"Host":"elsewhere"}')`))(t)
	for _, server := range []installed{first, second} {
		running := server.start()
		t.Cleanup(func() { check.OK(t, running.Close(context.Background())) })
		if server.cfg.Data == second.cfg.Data {
			checkServers(t, healthOf(t, server, running))
		}
	}
}

type listedServer struct {
	Host, Version string
	ProcessID     int `json:"process_id"`
	Running, This bool
}

func checkServers(t *testing.T, servers []listedServer) {
	t.Helper()
	count := map[listedServer]int{}
	for _, one := range servers {
		if one.Host != "elsewhere" {
			one.Host, one.ProcessID = "", 0 // empty until a server has started
		}
		count[one]++
	}
	want := map[listedServer]int{
		{Version: "test", Running: true, This: true}: 1,
		{Version: "test", Running: true}:             1,
		{Host: "elsewhere", Version: "1.0"}:          1,
	}
	if !maps.Equal(count, want) {
		t.Errorf("the servers are %+v", servers)
	}
}

// healthOf returns the servers that a server lists.
func healthOf(t *testing.T, i installed, running *app.App) []listedServer {
	t.Helper()
	ctx := access.AsSystem(t.Context())
	catalog := check.Must(storage.OpenCatalog(ctx, i.cfg))(t)
	defer func() { check.OK(t, catalog.Close()) }()
	_, key, err := app.NewAccess(catalog).CreateKey(ctx, running.Workspace(), access.NewKeyInput{Roles: []access.Role{access.Administrator}})
	check.OK(t, err)
	r := httptest.NewRequest(http.MethodGet, "/api/admin/health", nil)
	r.Header.Set("X-API-KEY", key)
	answer := httptest.NewRecorder()
	running.Handler().ServeHTTP(answer, r)
	var got struct{ Servers []listedServer }
	check.OK(t, json.Unmarshal(answer.Body.Bytes(), &got))
	return got.Servers
}
