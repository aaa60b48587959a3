package app_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/app/storage"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

const oneLog = `{"provider":"openai","model":"m","input":{"type":"chat","messages":[]},"output":{"type":"chat","messages":[]},` +
	`"request_start_time":"2026-01-01T12:00:00Z","request_end_time":"2026-01-01T12:00:01Z"}`

func TestHealth(t *testing.T) {
	t.Parallel()
	cfg := config.Default()
	cfg.Data, cfg.APIKey = filepath.Join(t.TempDir(), "hushhush"), "pl_hushhush"
	ctx := access.AsSystem(context.Background())
	a, err := app.Open(ctx, cfg, slog.New(slog.DiscardHandler), "1.2.3")
	check.OK(t, err)
	t.Cleanup(func() { check.OK(t, a.Close(ctx)) })
	catalog, err := storage.OpenCatalog(ctx, cfg)
	check.OK(t, err)
	t.Cleanup(func() { check.OK(t, catalog.Close()) })
	_, admin, err := app.NewAccess(catalog).CreateKey(ctx, a.Workspace(), access.NewKeyInput{Roles: []access.Role{access.Administrator}})
	check.OK(t, err)
	ask := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		r.Header.Set("X-API-KEY", admin)
		answer := httptest.NewRecorder()
		a.Handler().ServeHTTP(answer, r)
		return answer
	}
	if logged := ask(http.MethodPost, "/log-request", oneLog); logged.Code != http.StatusCreated {
		t.Fatalf("log request: %d %s", logged.Code, logged.Body)
	}
	answer := ask(http.MethodGet, "/api/admin/health", "")
	if answer.Code != http.StatusOK || strings.Contains(answer.Body.String(), "hushhush") {
		t.Fatalf("got %d %s", answer.Code, answer.Body)
	}
	checkHealth(t, answer.Body.Bytes())
}

type engine struct {
	Engine, Version string
	Size            int64 `json:"size_bytes"`
}

func checkHealth(t *testing.T, body []byte) {
	t.Helper()
	var got struct {
		Version       string
		Go            string  `json:"go_version"`
		Uptime        float64 `json:"uptime_seconds"`
		Problem       *string
		Catalog, Logs engine
		Disk          struct {
			Free  int64 `json:"free_bytes"`
			Total int64 `json:"total_bytes"`
		}
		Memory      int64 `json:"memory_bytes"`
		RequestLogs int64 `json:"request_logs"`
		Runs        struct {
			Running, Waiting int64
			Oldest           *float64 `json:"oldest_waiting_seconds"`
		}
	}
	check.OK(t, json.Unmarshal(body, &got))
	for what, holds := range map[string]bool{
		"version":  got.Version == "1.2.3" && got.Go == runtime.Version(),
		"uptime":   got.Uptime > 0 && got.Uptime < 600,
		"problem":  got.Problem == nil,
		"catalog":  got.Catalog.Engine == "SQLite" && strings.HasPrefix(got.Catalog.Version, "3.") && got.Catalog.Size > 64<<10,
		"logs":     got.Logs.Engine == "DuckDB" && strings.HasPrefix(got.Logs.Version, "v1.") && got.Logs.Size > 4<<10,
		"disk":     0 < got.Disk.Free && got.Disk.Free < got.Disk.Total,
		"memory":   runtime.GOOS != "linux" || got.Memory > 10<<20,
		"the logs": got.RequestLogs == 1,
		"runs":     got.Runs.Running == 0 && got.Runs.Waiting == 0 && got.Runs.Oldest == nil,
	} {
		if !holds {
			t.Errorf("%s: %s", what, body)
		}
	}
}
