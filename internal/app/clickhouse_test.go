package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// clickHouseServer is a server whose request logs are in ClickHouse.
type clickHouseServer struct {
	*app.App
	t   *testing.T
	key string
}

func openOnClickHouse(t *testing.T, address string) clickHouseServer {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.APIKey, cfg.Logs = t.TempDir(), "pl_hushhush", address
	check.OK(t, cfg.Validate())
	ctx := access.AsSystem(context.Background())
	a := check.Must(app.Open(ctx, cfg, slog.New(slog.DiscardHandler), "1.2.3"))(t)
	t.Cleanup(func() { check.OK(t, a.Close(ctx)) })
	return clickHouseServer{a, t, cfg.APIKey}
}

func (s clickHouseServer) ask(method, path, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("X-API-KEY", s.key)
	answer := httptest.NewRecorder()
	s.Handler().ServeHTTP(answer, r)
	return answer
}

// found fails the test unless a search finds so many requests.
func (s clickHouseServer) found(count int) {
	s.t.Helper()
	answer := s.ask(http.MethodPost, "/api/public/v2/requests/search", `{}`)
	if want := fmt.Sprintf(`"total":%d`, count); answer.Code != http.StatusOK || !strings.Contains(answer.Body.String(), want) {
		s.t.Errorf("search: %d %s, want %s", answer.Code, answer.Body, want)
	}
}

// TestServesOnClickHouse logs and finds a request, continues without the database,
// and recovers.
func TestServesOnClickHouse(t *testing.T) {
	t.Parallel()
	proxy := clickhousetest.NewProxy(t, clickhousetest.Start(t))
	s := openOnClickHouse(t, proxy.Address)
	check.Equal(t, "status of a log", s.ask(http.MethodPost, "/log-request", oneLog).Code, http.StatusCreated)
	s.found(1)
	proxy.Break(clickhousetest.DiskFull, -1)
	refused := s.ask(http.MethodPost, "/log-request", oneLog)
	if refused.Code != http.StatusServiceUnavailable || refused.Header().Get("Retry-After") == "" || strings.Contains(refused.Body.String(), "secret") {
		t.Errorf("a log without room: %d %v %s", refused.Code, refused.Header(), refused.Body)
	}
	check.Equal(t, "status of the registry", s.ask(http.MethodGet, "/prompt-templates", "").Code, http.StatusOK)
	time.Sleep(1100 * time.Millisecond) // until the store looks again whether the database answers
	check.Equal(t, "readiness", s.ask(http.MethodGet, "/readyz", "").Code, http.StatusOK)
	proxy.Heal()
	s.found(1)
	check.Equal(t, "status of a log afterwards", s.ask(http.MethodPost, "/log-request", oneLog).Code, http.StatusCreated)
	s.found(2)
}

// TestRefusesClickHouseOfOthers keeps an installation from the logs of another.
func TestRefusesClickHouseOfOthers(t *testing.T) {
	t.Parallel()
	address := clickhousetest.Start(t)
	openOnClickHouse(t, address)
	cfg := config.Default()
	cfg.Data, cfg.Logs = t.TempDir(), address
	_, err := app.Open(access.AsSystem(context.Background()), cfg, slog.New(slog.DiscardHandler), "1.2.3")
	if err == nil || !strings.Contains(err.Error(), "belongs to installation") || strings.Contains(err.Error(), "secret") {
		t.Errorf("another installation: %v", err)
	}
}
