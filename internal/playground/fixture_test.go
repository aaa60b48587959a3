package playground_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/playground"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/provider/client"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/template"
)

// world is a playground over real stores, with a model on loopback that
// echoes its input.
type world struct {
	*playground.Service
	t         *testing.T
	catalog   *catalog.Catalog
	prompts   *prompt.Service
	envVars   *envvar.Service
	logs      *requests.Service
	store     *refusing
	output    *check.Buffer
	workspace int64
	keyID     int64
	// before, if set, is called before the model answers.
	before func(r *http.Request)
}

func newWorld(t *testing.T, total, each int) *world {
	t.Helper()
	dir := t.TempDir()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	w := &world{t: t, catalog: c, prompts: prompt.NewService(c.Entities, nil), output: &check.Buffer{}}
	w.workspace = check.Must(c.Accounts.CreateWorkspace(access.AsSystem(t.Context()), "home"))(t).ID
	w.envVars = envvar.NewService(c.Entities, c.EnvVars, secret.NewBox(secret.NewKey()))
	w.keyID = w.setKey(w.workspace)
	opened := check.Must(embedded.Open(access.AsSystem(t.Context()), filepath.Join(dir, "logs"), embedded.Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check.OK(t, opened.Close()) })
	w.store = &refusing{Store: opened}
	w.logs = requests.NewService(requests.Options{Store: w.store, Groups: c.Groups, Sequence: c.Sequences, Prompts: w.prompts})
	t.Cleanup(func() { check.OK(t, w.logs.Drain(access.AsSystem(context.Background()))) })
	model := httptest.NewServer(http.HandlerFunc(w.answer))
	t.Cleanup(model.Close)
	environment := map[string]string{"OPENAI_BASE_URL": model.URL}
	w.Service = playground.NewService(playground.Options{
		Prompts: w.prompts, Logs: w.logs, Total: total, Each: each, Logger: slog.New(slog.NewTextHandler(w.output, nil)),
		Models: client.New(client.Options{Keys: client.NewKeys(w.envVars, func(name string) string { return environment[name] }), Retries: -1}),
	})
	t.Cleanup(func() { check.OK(t, w.Close(access.AsSystem(context.Background()))) })
	return w
}

// setKey sets the OpenAI key of a workspace.
func (w *world) setKey(workspace int64) int64 {
	w.t.Helper()
	return check.Must(w.envVars.Create(access.AsSystem(w.t.Context()), envvar.Scope{Workspace: workspace}, "OPENAI_API_KEY", "key"))(w.t).ID
}

func (w *world) answer(rw http.ResponseWriter, r *http.Request) {
	text, _ := io.ReadAll(r.Body)
	body, _ := jsontree.Parse(text)
	if w.before != nil {
		w.before(r)
	}
	said := ""
	for _, message := range body.Get("messages").Elems() {
		for _, part := range message.Get("content").Elems() {
			said = part.Get("text").Str()
		}
	}
	rw.Header().Set("Content-Type", "text/event-stream")
	fmt.Fprintf(rw, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":%q},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n", said)
}

// refusing is a store that fails as often as a test requests.
type refusing struct {
	requests.Store
	left atomic.Int64
	err  error
}

// Append fails, or calls the store.
func (r *refusing) Write(ctx context.Context, batch reqlog.Batch) error {
	if r.left.Add(-1) >= 0 {
		return r.err
	}
	return r.Store.Write(ctx, batch)
}

// listener records its calls.
type listener struct {
	began  chan struct{}
	pieces []playground.Piece
	// begin, if set, is called by Begin.
	begin func()
}

func newListener() *listener { return &listener{began: make(chan struct{})} }

// Begin implements playground.Listener.
func (l *listener) Begin() {
	close(l.began)
	if l.begin != nil {
		l.begin()
	}
}

// Piece implements playground.Listener.
func (l *listener) Piece(p playground.Piece) { l.pieces = append(l.pieces, p) }

// begun reports whether Begin was called.
func (l *listener) begun() bool {
	select {
	case <-l.began:
		return true
	default:
		return false
	}
}

// saying returns a request with a text.
func saying(text string) playground.Request {
	tree, _ := jsontree.Parse([]byte(`{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"` + text + `"}]}]}`))
	variables, _ := jsontree.Parse([]byte(`{"name":"Ann"}`))
	return playground.Request{Variables: variables, Content: prompt.Content{
		Template: template.Normalize(tree), Metadata: []byte(`{"model":{"provider":"openai","name":"gpt-4o-mini"}}`),
	}}
}

// publish publishes a text under a name and returns its id.
func (w *world) publish(name, text string) int64 {
	w.t.Helper()
	tree, _ := jsontree.Parse([]byte(`{"type":"completion","content":[{"type":"text","text":"` + text + `"}]}`))
	record := check.Must(w.prompts.Publish(access.AsSystem(w.t.Context()), w.workspace, prompt.Publication{
		Name: name, Content: prompt.Content{Template: template.Normalize(tree)},
	}))(w.t)
	return record.Entity.ID
}

// logged returns the logs of a workspace, oldest first.
func (w *world) logged(workspace int64) []*reqlog.Log {
	w.t.Helper()
	found := check.Must(w.store.Search(access.AsSystem(w.t.Context()), query.SearchQuery{
		Query: query.Query{Workspace: workspace}, SortBy: query.FieldID, Ascending: true, Page: 1, PerPage: 25,
	}))(w.t)
	return found.Items
}
