package app_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/config"
)

// mixed are calls that read from and write to the catalog. %d is the number of
// the call.
var mixed = []struct{ method, path, body string }{
	{http.MethodPost, "/create-group", `{}`},
	{http.MethodPost, "/rest/prompt-templates", `{"prompt_template":{"prompt_name":"p%d"},"prompt_version":{"prompt_template":{"type":"completion","content":[{"type":"text","text":"Hi"}]}}}`},
	{http.MethodGet, "/prompt-templates?page=1&per_page=5", ""},
	{http.MethodPost, "/api/public/v2/folders", `{"name":"f%d"}`},
	{http.MethodGet, "/api/public/v2/env-vars", ""},
	{http.MethodGet, "/workflows", ""},
}

// storm sends calls and collects the answers that a client cannot handle.
type storm struct {
	url     string
	mu      sync.Mutex
	good    map[string]bool // paths of calls that succeeded since the last restart
	refused int             // calls since the last restart
	bad     []string
}

// call sends a call and notes its answer.
func (s *storm) call(n, i int) {
	one := mixed[i]
	body := strings.Replace(one.body, "%d", fmt.Sprint(n), 1)
	r, _ := http.NewRequest(one.method, s.url+one.path, strings.NewReader(body)) // the parts are valid
	r.Header.Set("X-API-KEY", apiKey)
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.note(one.path, false, err.Error())
		return
	}
	defer func() { _ = answer.Body.Close() }()
	text, _ := io.ReadAll(answer.Body) // only informative
	busy := answer.StatusCode == http.StatusServiceUnavailable && answer.Header.Get("Retry-After") != ""
	if busy {
		s.mu.Lock()
		s.refused++
		s.mu.Unlock()
		return
	}
	s.note(one.path, answer.StatusCode < 300, fmt.Sprintf("%s %s = %d %s", one.method, one.path, answer.StatusCode, text))
}

func (s *storm) note(path string, good bool, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if good {
		s.good[path] = true
	} else {
		s.bad = append(s.bad, text)
	}
}

// hit reports whether calls have been refused, and begins to wait for the
// recovery.
func (s *storm) hit() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.good = map[string]bool{}
	return s.refused > 0
}

// recovered reports whether every call has succeeded again.
func (s *storm) recovered() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refused = 0
	return len(s.good) == len(mixed)
}

// TestPostgresRestart kills PostgreSQL again and again while clients call. Each
// call succeeds or is answered with 503 and Retry-After.
func TestPostgresRestart(t *testing.T) {
	t.Parallel()
	dsn, restart := pgtest.Restartable(t)
	cfg := config.Default()
	cfg.Data, cfg.Catalog, cfg.APIKey, cfg.SearchLimit = t.TempDir(), dsn, apiKey, 0
	a := check.Must(app.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), "test"))(t)
	server := httptest.NewServer(a.Handler())
	s := &storm{url: server.URL, good: map[string]bool{}}
	t.Cleanup(func() { s.report(t) })
	stop := make(chan struct{})
	var clients sync.WaitGroup
	for client := range 8 {
		clients.Go(func() {
			for n := client; ; n += 8 {
				select {
				case <-stop:
					return
				default:
					s.call(n, (n/8+client)%len(mixed))
				}
			}
		})
	}
	for _, pause := range []string{"0", "0.5", "0", "1", "0"} {
		check.Eventually(t, "all calls succeed", s.recovered)
		restart(pause)
		check.Eventually(t, "calls are refused", s.hit)
	}
	check.Eventually(t, "all calls succeed after the last restart", s.recovered)
	close(stop)
	clients.Wait()
	server.Close()
	check.OK(t, a.Close(context.Background()))
}

// report fails the test if there were answers that a client cannot handle.
func (s *storm) report(t *testing.T) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.bad) > 0 {
		t.Errorf("%d calls were not answered with success or 503 and Retry-After, such as:\n%s", len(s.bad), strings.Join(s.bad[:min(len(s.bad), 10)], "\n"))
	}
}
