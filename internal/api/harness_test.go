package api_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/abtest"
	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/api/admin"
	"github.com/promptuary/promptuary/internal/api/data"
	"github.com/promptuary/promptuary/internal/api/logs"
	apiregistry "github.com/promptuary/promptuary/internal/api/registry"
	"github.com/promptuary/promptuary/internal/api/traces"
	"github.com/promptuary/promptuary/internal/api/watch"
	"github.com/promptuary/promptuary/internal/api/work"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/deletion"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/folder"
	"github.com/promptuary/promptuary/internal/importer"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/registry"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/rest"
	"github.com/promptuary/promptuary/internal/skill"
	"github.com/promptuary/promptuary/internal/trace"
	"github.com/promptuary/promptuary/internal/variableset"
	"github.com/promptuary/promptuary/internal/view"
	"github.com/promptuary/promptuary/internal/workflow"
)

// noon is the initial time of the server's clock.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// firstID is the first request id, far from all other numbers in the tests,
// so that no other number in a response is mistaken for an id.
const firstID = 700_001

// world is the whole API over real stores in a separate folder, with two
// workspaces, home and away, a key for each, and the key of an owner.
type world struct {
	url     string
	dir     string
	keys    map[string]string
	clock   *check.Clock
	catalog *catalog.Catalog
	access  *access.Service
	router  *rest.Router
	client  *http.Client
	model   *model
	// lastTrace is the id of the last trace that a test of permissions created.
	lastTrace string
}

// settings are what tests can change.
type settings struct {
	limits  map[string]int
	maxBody int64
	// logs receives the server's log at all levels; without it, a logged
	// error fails the test.
	logs io.Writer
}

func newWorld(t *testing.T, set settings) *world {
	t.Helper()
	ctx := access.AsSystem(context.Background())
	dsn := catalogtest.SQLite(t)
	dir := filepath.Dir(strings.TrimPrefix(dsn, "sqlite:"))
	w := &world{dir: dir, keys: map[string]string{"nobody": ""}, clock: check.NewClock(noon)}
	c := catalogtest.Open(t, dsn, catalog.WithClock(w.clock.Now))
	w.catalog = c
	for _, name := range []string{"home", "away"} {
		space := check.Must(c.Accounts.CreateWorkspace(ctx, name))(t)
		w.keys[name] = access.NewKey()
		check.Must(c.Accounts.CreateKey(ctx, access.Key{WorkspaceID: space.ID, Name: name, Hash: access.HashOf(w.keys[name]), OwnerEmail: new("ann@x.test")}))(t)
	}
	w.keys["owner"] = access.NewKey()
	check.Must(c.Accounts.CreateKey(ctx, access.Key{WorkspaceID: home, Name: "owner", Hash: access.HashOf(w.keys["owner"]), Roles: []access.Role{access.Owner}}))(t)
	check.OK(t, c.Sequences.EnsureIDsAbove(ctx, "request_log", firstID-1))
	variables := newEnvVars(c)
	tools := newTools(t, c, variables, w.clock)
	prompts := prompt.NewService(c.Entities, tools)
	seedIDs(t, dsn, welcomeID)
	seed(t, c, prompts)
	store, err := embedded.Open(ctx, filepath.Join(dir, "logs"), embedded.Options{MemoryMB: 256, Threads: 2, MinFreeMB: -1})
	check.OK(t, err)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	prices := pricing.NewService(c.Prices, w.clock.Now)
	redactions := redact.NewService(c.Redactions, []byte("a key"), w.clock.Now)
	guard := access.NewGuard(c.Accounts, w.clock.Now)
	w.access = access.NewService(c.Accounts, guard, w.clock.Now)
	requestLogs := requests.NewService(requests.Options{
		Store: store, Groups: c.Groups, Sequence: c.Sequences, Prompts: prompts, Keys: w.access.KeyNames, Prices: prices, Clock: w.clock.Now,
		Redactions: redactions, SpanIndex: trace.Index,
	})
	t.Cleanup(func() { check.OK(t, requestLogs.Drain(ctx)) })
	workflows := workflow.NewService(c.Entities, workflow.StepTypes{Vault: testVault}, countingIDs())
	sets := newDatasets(c, requestLogs, dir, w.clock)
	jobs := job.NewRunner(job.Options{Store: c.Runs, Owner: "test", Alone: true})
	evals := newEvaluations(jobs, c, sets, requestLogs, w.clock)
	repricings := repricing.NewService(repricing.Options{Jobs: jobs, Store: c.Repricings, Logs: requestLogs, Prices: prices, Clock: w.clock.Now})
	erasures := deletion.NewService(deletion.Options{Jobs: jobs, Store: c.Deletions, Retention: c.Deletions, Logs: requestLogs, Clock: w.clock.Now})
	imports := importer.NewService(importer.Options{Jobs: jobs, Store: c.Imports, Logs: requestLogs, Servers: importer.Servers{Box: testBox, CheckURL: outbound.New(outbound.Options{}).CheckURL}, Clock: w.clock.Now})
	hooks := newWebhooks(jobs, c, w.clock)
	watched := alert.NewService(alert.Options{Jobs: jobs, Store: c.Alerts, Logs: requestLogs, Clock: w.clock.Now})
	abTests := abtest.NewService(abtest.Options{Jobs: jobs, Tests: prompts, Logs: requestLogs, Queue: c.Runs, Notices: c.Webhooks, Clock: w.clock.Now, Every: 20 * time.Millisecond})
	exports := export.NewService(export.Options{
		Store: c.Exports, Logs: requestLogs, Datasets: sets, Evaluations: evals, Audit: audit.NewService(c.Accounts),
	})
	saved := newSavedExports(jobs, c, exports, w.clock)
	runs, channels := newRuns(t, jobs, c, workflows, w.clock, jobServices{evals, repricings, hooks, imports, watched, erasures, saved, abTests})
	externalIDs, releases := registry.NewExternalIDs(c.Entities), registry.NewLabels(c.Entities)
	w.router, err = rest.New(api.Operations(api.Services{
		Logs:   logs.Services{Logs: requestLogs, Views: view.NewService(c.Views), Prices: prices, Repricings: repricings},
		Traces: traces.Services{Logs: requestLogs},
		Data:   data.Services{Logs: requestLogs, Redactions: redactions, Exports: exports, SavedExports: saved, Imports: imports, Deletions: erasures},
		Watch:  watch.Services{Alerts: watched, Webhooks: hooks},
		Registry: apiregistry.Services{
			Prompts: prompts, ABTests: abTests, Folders: folder.NewService(c.Entities), VariableSets: variableset.NewService(c.Entities), Tools: tools,
			Skills: skill.NewService(c.Entities, c.Skills, countingIDs()), EnvVars: variables, ExternalIDs: externalIDs, Releases: releases,
		},
		Work: work.Services{
			Workflows: workflows, Runs: runs, Datasets: sets, Evaluations: evals, Playground: newPlayground(t, w, prompts, variables, requestLogs),
			ExternalIDs: externalIDs, Releases: releases, Live: channels, Exports: exports,
		},
		Admin: admin.Services{Access: w.access, Audit: audit.NewService(c.Accounts), Health: steadyHealth{}, Exports: exports},
	}), rest.Options{
		Title: "Test", Version: "1", Authenticate: admin.Authenticator(guard), Authorize: admin.Authorize, Enter: admin.Enter(guard),
		Limiter: rest.NewLimiter(w.clock.Now, set.limits, nil), MaxBody: set.maxBody,
		Logger: newLogger(t, set.logs),
		Now:    w.clock.Now,
	})
	check.OK(t, err)
	server := httptest.NewServer(w.router)
	t.Cleanup(server.Close)
	w.url, w.client = server.URL, server.Client()
	return w
}

func newLogger(t *testing.T, logs io.Writer) *slog.Logger {
	t.Helper()
	if logs != nil {
		return slog.New(slog.NewTextHandler(logs, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(slog.NewTextHandler(faultWriter{t}, &slog.HandlerOptions{Level: slog.LevelError}))
}

// faultWriter fails the test for every error that the server logs: these are
// the causes of responses with status 500.
type faultWriter struct{ t *testing.T }

func (w faultWriter) Write(line []byte) (int, error) {
	w.t.Errorf("the server failed: %s", bytes.TrimSpace(line))
	return len(line), nil
}

// reply is a response of the server.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// object returns the response as an object.
func (r reply) object() (map[string]any, error) {
	var object map[string]any
	err := json.Unmarshal(r.body, &object)
	return object, err
}

// send makes one request as the given caller. Headers are "Name: value" and
// override the default ones.
func (w *world) send(who, method, path string, body []byte, headers ...string) (reply, error) {
	r, err := http.NewRequest(method, w.url+path, bytes.NewReader(body))
	if err != nil {
		return reply{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	if key := w.keys[who]; key != "" {
		r.Header.Set("X-API-KEY", key)
	}
	for _, header := range headers {
		name, value, _ := strings.Cut(header, ":")
		r.Header.Set(name, w.expand(strings.TrimPrefix(value, " ")))
	}
	return w.answer(r)
}

// answer sends a request unchanged.
func (w *world) answer(r *http.Request) (reply, error) {
	answer, err := w.client.Do(r)
	if err != nil {
		return reply{}, err
	}
	defer func() { _ = answer.Body.Close() }()
	text, err := io.ReadAll(answer.Body)
	return reply{answer.StatusCode, answer.Header, text}, err
}

var repetition = regexp.MustCompile(`\$\{([0-9]+)\*([^}]+)\}`)

// expand replaces the names of keys, such as ${home} and ${away}. ${3*ab}
// becomes ababab.
func (w *world) expand(text string) string {
	text = repetition.ReplaceAllStringFunc(text, func(found string) string {
		parts := repetition.FindStringSubmatch(found)
		times, _ := strconv.Atoi(parts[1])
		return strings.Repeat(parts[2], times)
	})
	for who, key := range w.keys {
		text = strings.ReplaceAll(text, "${"+who+"}", key)
	}
	return text
}

// must is send for tests that expect a certain status.
func (w *world) must(t *testing.T, status int, who, method, path, body string, headers ...string) map[string]any {
	t.Helper()
	got, err := w.send(who, method, path, []byte(body), headers...)
	check.OK(t, err)
	if got.status != status {
		t.Fatalf("%s %s %s = %d %s, want %d", method, path, clip(body), got.status, clip(string(got.body)), status)
	}
	var object map[string]any
	if status == http.StatusNoContent && len(got.body) == 0 {
		return nil
	}
	if err := json.Unmarshal(got.body, &object); err != nil {
		t.Fatalf("%s %s answers no object: %v in %s", method, path, err, clip(string(got.body)))
	}
	return object
}

// post is must for the home workspace.
func (w *world) post(t *testing.T, status int, path, body string) map[string]any {
	t.Helper()
	return w.must(t, status, "home", http.MethodPost, path, body)
}

func clip(text string) string {
	if len(text) > 600 {
		return text[:600] + "…"
	}
	return text
}

const (
	searchPath    = "/api/public/v2/requests/search"
	analyticsPath = "/api/public/v2/requests/analytics"
	chartsPath    = "/api/public/v2/requests/analytics/custom-analytics"
	suggestPath   = "/api/public/v2/requests/suggestions"
)

// searchIDs returns the ids on the first page of a search.
func (w *world) searchIDs(t *testing.T, who, body string) []int64 {
	t.Helper()
	found := w.must(t, http.StatusOK, who, http.MethodPost, searchPath, body)
	ids := []int64{}
	for _, item := range found["items"].([]any) {
		ids = append(ids, int64(item.(map[string]any)["id"].(float64)))
	}
	return ids
}

// total returns the number of logs in a workspace.
func (w *world) total(t *testing.T, who string) int64 {
	t.Helper()
	found := w.must(t, http.StatusOK, who, http.MethodPost, searchPath, `{"per_page":1}`)
	return int64(found["total"].(float64))
}

// log stores a log with the smallest valid body and the given members.
func (w *world) log(t *testing.T, who string, members map[string]any) int64 {
	t.Helper()
	stored := w.must(t, http.StatusCreated, who, http.MethodPost, "/log-request", toJSON(t, logBody(members)))
	return int64(stored["id"].(float64))
}

// logBody returns the smallest valid body of a log with the given members.
func logBody(members map[string]any) map[string]any {
	body := map[string]any{
		"provider": "openai", "model": "gpt-4o",
		"input": chat("user", "Hello"), "output": chat("assistant", "Hi there"),
		"request_start_time": "2026-03-15T10:00:00Z", "request_end_time": "2026-03-15T10:00:01Z",
	}
	maps.Copy(body, members)
	return body
}

// chat returns a chat template of messages given as role, text, role, text,
// ….
func chat(pairs ...string) map[string]any {
	messages := []any{}
	for i := 0; i+1 < len(pairs); i += 2 {
		messages = append(messages, map[string]any{
			"role": pairs[i], "content": []any{map[string]any{"type": "text", "text": pairs[i+1]}},
		})
	}
	return map[string]any{"type": "chat", "messages": messages}
}

func toJSON(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	check.OK(t, err)
	return string(text)
}

// leaf returns one condition; value is JSON text, or "" for none.
func leaf(field, op, value, key string) string {
	text := fmt.Sprintf(`{"field":%q,"operator":%q`, field, op)
	if value != "" {
		text += `,"value":` + value
	}
	if key != "" {
		quoted, _ := json.Marshal(key)
		text += `,"nested_key":` + string(quoted)
	}
	return text + "}"
}

// filtered returns a search body with conditions that must all match.
func filtered(conditions ...string) string {
	return `{"per_page":25,"filter_group":{"logic":"AND","filters":[` + strings.Join(conditions, ",") + `]}}`
}
