package api_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/check"
)

// steadyHealth is a source of constant health, because real values cannot be
// in a file of cases. The number of logs is the workspace's id.
type steadyHealth struct{}

func (steadyHealth) Health(_ context.Context, workspace int64) (admin.Health, error) {
	return admin.Health{
		Version: "1.2.3", Go: "go1.26", Started: noon, Uptime: 1500 * time.Millisecond,
		Catalog: admin.Engine{Name: "SQLite", Version: "3.46.1", Size: new(int64(4096))}, Logs: admin.Engine{Name: "DuckDB"},
		DiskFree: new(int64(10)), DiskTotal: new(int64(20)), RequestLogs: &workspace, Problem: "The disk is full",
		Ingest: admin.IngestHealth{Logs: 1, Bytes: 2, Operations: 3, OperationBytes: 4},
		Damage: admin.DamageHealth{Blocks: 7, Bytes: 8, Logs: 9, Spans: 10, Catalog: 11},
		Backup: &admin.BackupHealth{Outcome: "failed", Started: noon, Ended: noon.Add(time.Minute), Error: "The bucket is missing", Point: "20260101T110000.000Z", Made: new(noon.Add(-time.Hour))},
		Queues: []admin.QueueHealth{{Name: "code", Running: 10, MaxRunning: 11, Waiting: 12, MaxWaiting: 13}},
		Runs:   admin.RunHealth{Running: 5, Waiting: 6, WaitingFor: new(90 * time.Second)},
		Servers: []admin.ServerHealth{{
			Version: "v1.2.3", Started: time.Unix(1_700_000_000, 0), Running: true, This: true,
			ServerStatus: admin.ServerStatus{Host: "one", ProcessID: 13, Problem: "The disk is full", Ingest: admin.IngestHealth{Logs: 14, Bytes: 15, Operations: 16, OperationBytes: 17}},
		}},
	}, nil
}

// TestStatesAreStoredAsIs checks that states are returned byte for byte.
func TestStatesAreStoredAsIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	for i, text := range []string{
		`{"z":1,"a":1.50,"z":12345678901234567890}`, `{"html":"<b>&amp;</b>","line":"\u2028","nul":"\u0000","half":"\ud800"}`,
		`{"日本":{"deep":[[[{}]]]}}`, `{"n":1e999,"m":-0}`,
	} {
		body := fmt.Sprintf(`{"name":"%d","page":"requests","state":%s}`, i, text)
		got, err := w.send("home", http.MethodPost, viewsPath, []byte(body))
		check.OK(t, err)
		if !strings.Contains(string(got.body), `"state":`+text+`,`) {
			t.Errorf("%s is answered with %d %s", text, got.status, got.body)
		}
		body = fmt.Sprintf(`{"name":"%d","charts":[{"id":"a","title":"b","layout":%s}]}`, i, text)
		got, err = w.send("home", http.MethodPost, dashboardsPath, []byte(body))
		check.OK(t, err)
		if !strings.Contains(string(got.body), `"layout":`+text+`}`) {
			t.Errorf("%s is answered with %d %s", text, got.status, got.body)
		}
	}
}

// TestViewSizes stores parts of the maximum size, and not one byte more; the
// error does not repeat the rejected part.
func TestViewSizes(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	state := func(bytes int) string { return `{"k":"` + strings.Repeat("x", bytes-8) + `"}` }
	const chart = `[{"id":"a","title":"b","k":""}]`
	charts := func(bytes int) string {
		return strings.Replace(chart, `""}`, `"`+strings.Repeat("x", bytes-len(chart))+`"}`, 1)
	}
	made := w.post(t, http.StatusCreated, dashboardsPath, `{"name":"a","state":`+state(64<<10)+`,"charts":`+charts(256<<10)+`}`)
	path := fmt.Sprintf("%s/%.0f", dashboardsPath, made["dashboard"].(map[string]any)["id"])
	for _, body := range []string{`{"state":` + state(64<<10+1) + `}`, `{"charts":` + charts(256<<10+1) + `}`} {
		got, err := w.send("home", http.MethodPatch, path, []byte(body))
		check.OK(t, err)
		if got.status != http.StatusUnprocessableEntity || len(got.body) > 1000 {
			t.Errorf("%s is answered with %d %s", clip(body), got.status, clip(string(got.body)))
		}
	}
	if diff := cmp.Diff(made, w.must(t, http.StatusOK, "home", http.MethodGet, path, "")); diff != "" {
		t.Errorf("the dashboard has changed (-before +after):\n%s", clip(diff))
	}
}

// TestViewCreators checks that people are named, and keys without an owner
// are not.
func TestViewCreators(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	const body = `{"name":"%s","page":"requests"}`
	byKey := w.must(t, http.StatusCreated, "owner", http.MethodPost, viewsPath, fmt.Sprintf(body, "by key"))
	token := w.signUp(t, "bob@x.test", home, access.Contributor)
	csrf := w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookieOf(token))["csrf_token"].(string)
	byPerson := w.must(t, http.StatusCreated, "nobody", http.MethodPost, viewsPath, fmt.Sprintf(body, "by Bob"), cookieOf(token), "X-CSRF-Token: "+csrf)
	for who, made := range map[any]map[string]any{nil: byKey, "bob@x.test": byPerson} {
		if got := made["view"].(map[string]any)["created_by"]; got != who {
			t.Errorf("it was saved by %v, want %v", got, who)
		}
	}
}
