package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/schollz/progressbar/v3"
)

// stub is a server with one evaluation and a run that ends at the fourth status
// request with a report.
type stub struct {
	report    string
	asked     atomic.Int64
	cancelled atomic.Int64
}

func (s *stub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Header.Get("X-API-KEY") != "secret":
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprint(w, `{"message":"Invalid API key"}`)
	case strings.HasPrefix(r.URL.Path, "/api/public/v2/evaluations/9/cancel"):
		s.cancelled.Add(1)
		_, _ = fmt.Fprint(w, `{}`)
	case r.URL.Path == "/api/public/v2/evaluations":
		_, _ = fmt.Fprint(w, `{"evaluations":[{"id":7,"name":"E"},{"id":5,"name":"other E"},{"id":3,"name":"twin"},{"id":2,"name":"twin"}],"pages":1}`)
	case r.URL.Path == "/reports/7/run":
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprint(w, `{"report_id":9}`)
	case r.URL.Path == "/reports/7":
		_, _ = fmt.Fprint(w, `{"report":{"id":7,"is_blueprint":true},"status":"COMPLETED"}`)
	case r.URL.Path == "/reports/9" && s.asked.Add(1) == 2:
		w.WriteHeader(http.StatusServiceUnavailable)
	case r.URL.Path == "/reports/9" && s.asked.Load() < 4:
		_, _ = fmt.Fprint(w, `{"report":{"id":9},"status":"RUNNING","stats":{"status_counts":{"COMPLETED":1,"FAILED":0,"QUEUED":9,"RUNNING":0}}}`)
	case r.URL.Path == "/reports/9":
		_, _ = fmt.Fprint(w, s.report)
	default:
		w.WriteHeader(http.StatusNotFound)
		_, _ = fmt.Fprint(w, `{"message":"Report not found"}`)
	}
}

func ended(more string) string {
	return `{"report":{"id":9,` + more + `},"status":"COMPLETED","stats":{"status_counts":{"COMPLETED":9,"FAILED":1,"QUEUED":0,"RUNNING":0}}}`
}

func TestEvalRun(t *testing.T) {
	t.Parallel()
	const scored = `"score":{"overall_score":89.5}`
	tests := map[string]struct {
		evaluation, report, key string
		failUnder               *float64
		// failure is part of the error, empty for success.
		failure string
	}{
		"score without a minimum": {"E", ended(scored), "secret", nil, ""},
		"by id":                   {"7", ended(scored), "secret", nil, ""},
		"high enough":             {"E", ended(scored), "secret", new(89.5), ""},
		"too low":                 {"E", ended(scored), "secret", new(90.0), "the score 89.5 is below 90"},
		"no score":                {"E", ended(`"score":null`), "secret", nil, "the run has no score"},
		"null score":              {"E", ended(`"score":{"overall_score":null}`), "secret", new(0.0), "the run has no score"},
		"failed scoring code":     {"E", ended(`"score":{"overall_score":null},"score_calculation_error":"oops"`), "secret", nil, "oops"},
		"unknown evaluation":      {"nothing", "", "secret", nil, `evaluation "nothing" not found`},
		"part of a name":          {"other", "", "secret", nil, `evaluation "other" not found`},
		"ambiguous name":          {"twin", "", "secret", nil, `2 evaluations are named "twin"`},
		"unknown id":              {"9000", "", "secret", nil, `evaluation "9000" not found`},
		"invalid key":             {"E", "", "other", nil, "Invalid API key"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(&stub{report: tt.report})
			t.Cleanup(server.Close)
			var out bytes.Buffer
			run := evalRun{
				server: server.URL, key: tt.key, evaluation: tt.evaluation, name: "x", failUnder: tt.failUnder, pollEvery: time.Millisecond, out: &out,
				bar: func(cells int64) *progressbar.ProgressBar { return progressbar.DefaultSilent(cells) },
			}
			err := run.do(t.Context())
			switch {
			case tt.failure == "" && err != nil:
				t.Errorf("error = %v", err)
			case tt.failure != "" && (err == nil || !strings.Contains(err.Error(), tt.failure)):
				t.Errorf("error = %v, want %s", err, tt.failure)
			}
			if status := (exitError{}); errors.As(err, &status) != (name == "too low") || name == "too low" && status.code != 3 {
				t.Errorf("exit status of %v is %d", err, status.code)
			}
			if said := strings.Contains(out.String(), "score 89.5"); said != strings.Contains(tt.report, "89.5") {
				t.Errorf("output = %q", out.String())
			}
		})
	}
}

func TestInterruptedEvalCancelsRun(t *testing.T) {
	t.Parallel()
	stub := &stub{report: ended(`"score":null`)}
	ctx, cancel := context.WithCancel(t.Context())
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/reports/9" {
			cancel()
			stub.asked.Store(0) // it never ends
		}
		stub.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	run := evalRun{
		server: server.URL, key: "secret", evaluation: "E", pollEvery: time.Millisecond, out: &bytes.Buffer{},
		bar: func(cells int64) *progressbar.ProgressBar { return progressbar.DefaultSilent(cells) },
	}
	if err := run.do(ctx); err == nil || stub.cancelled.Load() != 1 {
		t.Errorf("error = %v, cancelled %d runs, want an error and 1", err, stub.cancelled.Load())
	}
}

func TestEvalDefaults(t *testing.T) {
	t.Parallel()
	env := map[string]string{serverEnv: "https://example.com/", keyEnv: "from the environment"}
	run := evalRun{}
	run.complete(func(name string) string { return env[name] }, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC))
	if run.server != "https://example.com" || run.key != "from the environment" || run.name != "promptuary eval run 2026-03-01T12:00:00Z" {
		t.Errorf("got %+v", run)
	}
	run = evalRun{server: "http://a", key: "k", name: "n"}
	run.complete(func(name string) string { return env[name] }, time.Time{})
	if run.server != "http://a" || run.key != "k" || run.name != "n" {
		t.Errorf("flags are overridden: %+v", run)
	}
	run = evalRun{}
	run.complete(func(string) string { return "" }, time.Time{})
	if run.server != defaultServer {
		t.Errorf("server = %s", run.server)
	}
}
