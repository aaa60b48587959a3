package e2e

import (
	"bufio"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// contractOperations are the operations of the contract.
var contractOperations = []string{
	"POST /log-request", "POST /log-requests", "POST /track-request", "POST /rest/track-request",
	"POST /rest/track-metadata", "POST /rest/track-score", "POST /rest/track-prompt", "POST /rest/track-group",
	"POST /library-track-metadata", "POST /library-track-score", "POST /library-track-prompt",
	"POST /track-group", "POST /create-group",
	"GET /api/public/v2/requests/{request_id}", "POST /api/public/v2/requests/search",
	"GET /api/public/v2/requests/suggestions", "POST /api/public/v2/requests/analytics",
	"POST /api/public/v2/requests/analytics/custom-analytics",
}

func TestDocuments(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	p.client = p.withKey("") // none of them needs a key

	document := mustDecode[struct {
		OpenAPI string                    `json:"openapi"`
		Paths   map[string]map[string]any `json:"paths"`
	}](t, p.get(t, "/openapi.json"))
	if !strings.HasPrefix(document.OpenAPI, "3.") {
		t.Errorf("openapi version %q, want 3.x", document.OpenAPI)
	}
	listed := map[string]bool{}
	for path, methods := range document.Paths {
		for method := range methods {
			listed[strings.ToUpper(method)+" "+path] = true
		}
	}
	for _, operation := range contractOperations {
		if !listed[operation] {
			t.Errorf("%s is not in the OpenAPI document", operation)
		}
	}
	checkPage(t, p.get(t, "/docs"))
	for operation := range listed {
		method, path, _ := strings.Cut(operation, " ")
		if operation == "POST /api/admin/session" {
			continue // signing in needs no authentication
		}
		a, err := p.call(method, numbers.Replace(path), nil)
		if err == nil {
			err = checkFailure(a, http.StatusUnauthorized, "unauthorized")
		}
		if err != nil {
			t.Errorf("%s without a key: %v", operation, err)
		}
	}
	for _, path := range []string{"/", "/app", "/app/", "/app/1/requests", "/sign-in"} {
		checkPage(t, p.get(t, path))
	}
}

// numbers replaces path parameters that must be numbers.
var numbers = strings.NewReplacer("{request_id}", "1", "{prompt_template_id}", "1")

// external matches references to other servers.
var external = regexp.MustCompile(`(?i)(src|href|action)\s*=\s*["']?(https?:)?//|url\(\s*["']?(https?:)?//|@import|fetch\(\s*["'](https?:)?//`)

func checkPage(t *testing.T, a answer) {
	t.Helper()
	if kind := a.header.Get("Content-Type"); kind != "text/html; charset=utf-8" {
		t.Errorf("Content-Type %q, want HTML", kind)
	}
	if !strings.HasPrefix(strings.ToLower(string(a.body)), "<!doctype html>") {
		t.Errorf("page starts with %q, want a doctype", clip(a.body[:min(len(a.body), 40)]))
	}
	if found := external.Find(a.body); found != nil {
		t.Errorf("the page refers to another server: %s", found)
	}
}

func TestErrorShapes(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir(), "--max-body", "1KB")
	tests := []struct {
		name         string
		method, path string
		contentType  string
		body         string
		status       int
		code         string
	}{
		{"unknown path", "GET", "/no/such/path", "", "", 404, "not_found"},
		{"unknown path below a known one", "GET", "/docs/more", "", "", 404, "not_found"},
		{"path that a browser would clean", "GET", "//docs", "", "", 404, "not_found"},
		{"base address that ends with a slash", "POST", "//log-request", "application/json", "{}", 422, "validation_error"},
		{"path of the app that a browser would clean", "GET", "/app//1", "", "", 404, "not_found"},
		{"path of the app that leads out of it", "GET", "/app/../docs", "", "", 404, "not_found"},
		{"wrong method of the app", "POST", "/app/1/requests", "", "", 405, "method_not_allowed"},
		{"wrong method", "DELETE", "/log-request", "", "", 405, "method_not_allowed"},
		{"wrong method of a document", "POST", "/healthz", "", "", 405, "method_not_allowed"},
		{"too large", "POST", "/log-request", "application/json", strings.Repeat(" ", 2<<10), 413, "payload_too_large"},
		{"not JSON by its type", "POST", "/log-request", "text/csv", "a,b", 415, "unsupported_media_type"},
		{"not JSON", "POST", "/log-request", "application/json", "{", 400, "bad_request"},
		{"incomplete", "POST", "/log-request", "application/json", "{}", 422, "validation_error"},
		{"absent log", "GET", requestsPath + "4711", "", "", 404, "not_found"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			request, err := http.NewRequest(test.method, p.address+test.path, strings.NewReader(test.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-API-KEY", testKey)
			request.Header.Set("Content-Type", test.contentType)
			a, err := p.send(request)
			if err == nil {
				err = checkFailure(a, test.status, test.code)
			}
			if err != nil {
				t.Error(err)
			}
			if test.status == http.StatusMethodNotAllowed && a.header.Get("Allow") == "" {
				t.Error("no header lists the allowed methods")
			}
		})
	}
}

func TestHealthAndMetrics(t *testing.T) {
	t.Parallel()
	p := start(t, t.TempDir())
	for path, want := range map[string]string{"/healthz": `{"status":"ok"}`, "/readyz": `{"status":"ready"}`} {
		if got := string(p.get(t, path).body); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	before := metrics(t, p)
	for i := range 3 {
		p.log(t, entry{word: fmt.Sprintf("zqmetric%d", i), tokens: 1})
	}
	p.search(t, object{})
	p.post(t, "/api/public/v2/requests/analytics", object{}, http.StatusOK) // waits until all logs are applied
	p.post(t, "/log-request", object{}, http.StatusUnprocessableEntity)
	after := metrics(t, p)
	rises := map[string]float64{
		`promptuary_requests_total{operation="logRequest",status="201"}`:        3,
		`promptuary_requests_total{operation="logRequest",status="422"}`:        1,
		`promptuary_request_duration_seconds_count{operation="logRequest"}`:     4,
		`promptuary_request_duration_seconds_count{operation="searchRequests"}`: 1,
		`promptuary_ingest_committed_logs_total`:                                3,
		`promptuary_ingest_batches_total`:                                       3,
		`promptuary_ingest_refused_logs_total`:                                  0,
		`promptuary_ingest_queued_logs`:                                         0,
		`promptuary_store_pending_operations`:                                   0,
	}
	for name, want := range rises {
		value, ok := after[name]
		if got := value - before[name]; !ok || got != want {
			t.Errorf("%s increased by %v (present: %v), want %v", name, got, ok, want)
		}
	}
	for _, name := range []string{"process_resident_memory_bytes", "go_goroutines"} {
		if after[name] <= 0 {
			t.Errorf("%s = %v, want more than 0", name, after[name])
		}
	}
}

var metricsOn = regexp.MustCompile(`Metrics are on (http://\S+)`)

// metrics returns the samples by name and labels.
func metrics(t *testing.T, p *program) map[string]float64 {
	t.Helper()
	match := metricsOn.FindStringSubmatch(p.stdout.String())
	if match == nil {
		t.Fatal("the server has not printed the address of its metrics")
	}
	response, err := http.Get(match[1])
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = response.Body.Close() }()
	samples := map[string]float64{}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		at := strings.LastIndexByte(lines.Text(), ' ')
		if at < 0 || strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		value, err := strconv.ParseFloat(lines.Text()[at+1:], 64)
		if err != nil {
			t.Fatalf("metric %q: %v", lines.Text(), err)
		}
		samples[lines.Text()[:at]] = value
	}
	return samples
}
