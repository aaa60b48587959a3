package app_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/demo"
)

// BenchmarkLogRequest measures POST /log-request over HTTP with 32 clients in
// the same process; use it with -cpuprofile to see where the time goes.
func BenchmarkLogRequest(b *testing.B) {
	cfg := config.Default()
	cfg.Data, cfg.APIKey = b.TempDir(), "pl_benchmark"
	a, err := app.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), "bench")
	if err != nil {
		b.Fatal(err)
	}
	server := httptest.NewServer(a.Handler())
	bodies := make([][]byte, 5000)
	generator := demo.New(demo.Config{Seed: 1, Logs: len(bodies), End: time.Unix(1_700_000_000, 0)})
	for i := range bodies {
		bodies[i] = generator.Next()
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	var next atomic.Int64
	b.ResetTimer()
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				request, _ := http.NewRequest(http.MethodPost, server.URL+"/log-request", bytes.NewReader(bodies[int(i)%len(bodies)]))
				request.Header.Set("X-API-KEY", cfg.APIKey)
				request.Header.Set("Content-Type", "application/json")
				response, err := client.Do(request)
				if err != nil {
					b.Error(err)
					return
				}
				_, _ = io.Copy(io.Discard, response.Body)
				response.Body.Close()
				if response.StatusCode != http.StatusCreated {
					b.Errorf("status %d", response.StatusCode)
					return
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
	server.Close()
	if err := a.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
}
