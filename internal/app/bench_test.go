package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/demo"
)

// server starts the whole program on a new data folder.
func server(b *testing.B) (url string) {
	b.Helper()
	cfg := config.Default()
	cfg.Data, cfg.APIKey = b.TempDir(), apiKey
	a, err := app.Open(context.Background(), cfg, slog.New(slog.DiscardHandler), "bench")
	if err != nil {
		b.Fatal(err)
	}
	s := httptest.NewServer(a.Handler())
	b.Cleanup(func() {
		s.Close()
		if err := a.Close(context.Background()); err != nil {
			b.Error(err)
		}
	})
	return s.URL
}

const apiKey = "pl_benchmark"

// hammer sends requests from 32 clients in the same process.
func hammer(b *testing.B, status int, request func(i int64) (method, url string, body []byte)) {
	b.Helper()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 32}}
	var next atomic.Int64
	b.ResetTimer()
	var group sync.WaitGroup
	for range 32 {
		group.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				if err := send(client, status, i, request); err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	group.Wait()
	b.StopTimer()
}

func send(client *http.Client, status int, i int64, call func(i int64) (method, url string, body []byte)) error {
	method, url, body := call(i)
	request, err := http.NewRequest(method, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("X-API-KEY", apiKey)
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return err
	}
	_, err = io.Copy(io.Discard, response.Body)
	if err == nil && response.StatusCode != status {
		err = fmt.Errorf("%s %s: status %d", method, url, response.StatusCode)
	}
	return errors.Join(err, response.Body.Close())
}

// BenchmarkLogRequest measures POST /log-request over HTTP. Run it with
// -cpuprofile to profile it.
func BenchmarkLogRequest(b *testing.B) {
	url := server(b)
	bodies := make([][]byte, 5000)
	generator := demo.New(demo.Config{Seed: 1, Logs: len(bodies), End: time.Unix(1_700_000_000, 0)})
	for i := range bodies {
		bodies[i] = generator.Next()
	}
	hammer(b, http.StatusCreated, func(i int64) (string, string, []byte) {
		return http.MethodPost, url + "/log-request", bodies[int(i)%len(bodies)]
	})
}

// BenchmarkPrompt measures fetching a prompt, raw and rendered.
func BenchmarkPrompt(b *testing.B) {
	url := server(b)
	rules := strings.Repeat("Answer from the documents that you were given, and say so when they do not tell. ", 18)
	publish := func(name, template string) {
		body := `{"prompt_template":{"prompt_name":"` + name + `"},"prompt_version":{"prompt_template":` + template +
			`,"metadata":{"model":{"provider":"openai","name":"gpt-4o"}}},"release_labels":["prod"]}`
		call := func(int64) (string, string, []byte) {
			return http.MethodPost, url + "/rest/prompt-templates", []byte(body)
		}
		if err := send(http.DefaultClient, http.StatusCreated, 0, call); err != nil {
			b.Fatal(err)
		}
	}
	publish("rules", `{"type":"completion","content":[{"type":"text","text":"`+rules+`"}]}`)
	publish("answer", `{"type":"chat","messages":[{"role":"system","content":[{"type":"text","text":"Help {company} in {language}. @@@rules@@@"}]},`+
		`{"role":"user","content":[{"type":"text","text":"I am {customer}. {question}"}]}]}`)
	b.Run("raw", func(b *testing.B) {
		hammer(b, http.StatusOK, func(int64) (string, string, []byte) {
			return http.MethodGet, url + "/prompt-templates/answer?label=prod", nil
		})
	})
	b.Run("rendered", func(b *testing.B) {
		body := []byte(`{"label":"prod","input_variables":{"company":"Acme","language":"English","customer":"Jo","question":"Where is it?"}}`)
		hammer(b, http.StatusOK, func(int64) (string, string, []byte) {
			return http.MethodPost, url + "/prompt-templates/answer", body
		})
	})
}
