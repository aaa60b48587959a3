package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/app"
	"github.com/promptuary/promptuary/internal/config"
)

// program is the whole program, serving on loopback.
type program struct {
	t   *testing.T
	app *app.App
	url string
	// metrics is the address of the metrics, if they have their own.
	metrics string
	otlp    string // of gRPC
	stop    context.CancelFunc
	done    chan error
}

func startProgram(t *testing.T, data string, change ...func(*config.Config)) *program {
	t.Helper()
	cfg := config.Default()
	cfg.Data, cfg.APIKey, cfg.Addr = data, apiKey, "127.0.0.1:0"
	cfg.AllowTargets, cfg.DrainTimeout, cfg.MinFreeDisk = "127.0.0.1", 10*time.Millisecond, 0
	for _, change := range change {
		change(&cfg)
	}
	a, err := app.Open(t.Context(), cfg, slog.New(slog.DiscardHandler), "test")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	p := &program{t: t, app: a, stop: stop, done: make(chan error, 1)}
	read, write := io.Pipe()
	go func() { p.done <- a.Serve(ctx, write) }()
	for lines := bufio.NewReader(read); p.url == ""; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatal(err)
		}
		switch words := strings.Fields(line); words[0] {
		case "Metrics":
			p.metrics = words[3]
		case "OTLP":
			p.otlp = words[5]
		default:
			p.url = words[4]
		}
	}
	go func() { _, _ = io.Copy(io.Discard, read) }()
	return p
}

// end stops the program, even with requests in progress.
func (p *program) end() {
	p.t.Helper()
	p.stop()
	<-p.done
	if err := p.app.Close(context.Background()); err != nil {
		p.t.Fatal(err)
	}
}

// send sends a request and returns the response body as a stream.
func (p *program) send(method, path, body string) io.Reader {
	p.t.Helper()
	request, err := http.NewRequestWithContext(p.t.Context(), method, p.url+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	request.Header.Set("X-API-KEY", apiKey)
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = answer.Body.Close() })
	if answer.StatusCode >= http.StatusBadRequest {
		text, _ := io.ReadAll(answer.Body)
		p.t.Fatalf("%s %s: %d %s", method, path, answer.StatusCode, text)
	}
	return answer.Body
}

// object is like send for responses that are JSON objects.
func (p *program) object(method, path, body string) map[string]any {
	p.t.Helper()
	var object map[string]any
	if err := json.NewDecoder(p.send(method, path, body)).Decode(&object); err != nil {
		p.t.Fatal(err)
	}
	return object
}

const trial = `{"prompt_template":{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]},` +
	`"metadata":{"model":{"provider":"mistral","name":"mistral-small-latest"}}}`

// configure sets the key and the address of the provider and reports whether
// the provider was configured before and after.
func (p *program) configure(address string) (before, after bool) {
	p.t.Helper()
	configured := func() bool {
		for _, item := range p.object(http.MethodGet, "/api/public/v2/providers", "")["providers"].([]any) {
			if one := item.(map[string]any); one["name"] == "mistral" {
				return one["configured"].(bool)
			}
		}
		return false
	}
	before = configured()
	for key, value := range map[string]string{"MISTRAL_API_KEY": "key-of-the-workspace", "MISTRAL_BASE_URL": address} {
		p.object(http.MethodPost, "/api/public/v2/env-vars", fmt.Sprintf(`{"key":%q,"value":%q}`, key, value))
	}
	return before, configured()
}

// TestPlaygroundEndToEnd reads each piece of an answer before the model
// continues, and stops the program in the middle of another answer.
func TestPlaygroundEndToEnd(t *testing.T) {
	t.Parallel()
	heard := make(chan struct{})
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", "text/event-stream")
		for _, piece := range []string{"one", "two"} {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", piece)
			_ = http.NewResponseController(w).Flush()
			select {
			case <-heard:
			case <-r.Context().Done():
				return
			}
		}
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(model.Close)
	data := t.TempDir()
	p := startProgram(t, data, func(c *config.Config) { c.MetricsAddr = "127.0.0.1:0" })
	if before, after := p.configure(model.URL + "/v1"); before || !after {
		t.Errorf("provider configured: %t before and %t after setting its key, want false and true", before, after)
	}
	lines := bufio.NewReader(p.send(http.MethodPost, "/api/public/v2/playground/run", trial))
	for _, piece := range []string{"one", "two"} {
		awaitLine(t, lines, `data: {"text":"`+piece+`"}`)
		heard <- struct{}{}
	}
	awaitLine(t, lines, "event: done")
	_, _ = io.Copy(io.Discard, lines)
	if text := get(t, p.metrics, "").body; !strings.Contains(text, `promptuary_requests_total{operation="runPlayground",status="200"} 1`) {
		t.Error("the call is not counted")
	}
	lines = bufio.NewReader(p.send(http.MethodPost, "/api/public/v2/playground/run", trial))
	awaitLine(t, lines, `data: {"text":"one"}`)
	p.end()
	again := startProgram(t, data)
	defer again.end()
	found := again.object(http.MethodPost, "/api/public/v2/requests/search", `{"sort_by":"request_start_time","sort_order":"asc"}`)
	var outcomes []string
	for _, item := range found["items"].([]any) {
		outcomes = append(outcomes, fmt.Sprint(item.(map[string]any)["status"], item.(map[string]any)["tags_array"]))
	}
	if got, want := strings.Join(outcomes, " "), "SUCCESS[playground] ERROR[playground]"; got != want {
		t.Errorf("the logs are %s, want %s", got, want)
	}
}

// awaitLine reads lines until it finds the wanted one.
func awaitLine(t *testing.T, lines *bufio.Reader, want string) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if strings.TrimSuffix(line, "\n") == want {
			return
		}
		if err != nil {
			t.Fatalf("no line %s: %v", want, err)
		}
	}
}
