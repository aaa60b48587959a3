package webhook_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/outbound"
	"github.com/promptuary/promptuary/internal/secret"
	"github.com/promptuary/promptuary/internal/webhook"
	"github.com/promptuary/promptuary/internal/webhook/send"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// received is a request that a target got.
type received struct {
	header http.Header
	body   string
	path   string
}

// event returns the members of the envelope that tests look at.
func (r received) event() (e struct {
	ID      string         `json:"id"`
	Type    string         `json:"event_type"`
	Details map[string]any `json:"details"`
	Email   *string        `json:"user_email"`
}) {
	if err := json.Unmarshal([]byte(r.body), &e); err != nil {
		panic(err)
	}
	return e
}

// target is a server that webhooks call. It answers each request with the next of
// its answers, and then with the last one.
type target struct {
	url string

	mu      sync.Mutex
	got     []received
	answers []func(w http.ResponseWriter, r *http.Request)
}

func status(code int) func(http.ResponseWriter, *http.Request) {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(code)
		_, _ = fmt.Fprintf(w, "answer %d", code)
	}
}

// hang answers nothing until the client goes away.
func hang(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }

func newTarget(t *testing.T, answers ...func(http.ResponseWriter, *http.Request)) *target {
	t.Helper()
	to := &target{answers: answers}
	server := httptest.NewServer(to)
	t.Cleanup(server.Close)
	to.url = server.URL
	return to
}

func (to *target) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	to.mu.Lock()
	to.got = append(to.got, received{r.Header, string(body), r.URL.Path})
	answer := status(http.StatusNoContent)
	if len(to.answers) > 0 {
		answer = to.answers[min(len(to.got), len(to.answers))-1]
	}
	to.mu.Unlock()
	answer(w, r)
}

func (to *target) requests() []received {
	to.mu.Lock()
	defer to.mu.Unlock()
	return append([]received{}, to.got...)
}

// world is a workspace with webhooks.
type world struct {
	t           *testing.T
	ctx         context.Context
	catalog     *catalog.Catalog
	home, other int64
	key         secret.Key
	// retries is the number of failures before the last attempt.
	retries int64
	service *webhook.Service
}

func newWorld(t *testing.T, dsn string) *world {
	t.Helper()
	w := &world{t: t, ctx: access.AsSystem(t.Context()), catalog: catalogtest.Open(t, dsn), key: secret.NewKey(), retries: 5}
	w.home = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.other = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "other"))(t).ID
	w.service = w.newService(nil)
	return w
}

// newService returns a service whose attempts go through the sender, nil for HTTP
// with a time limit that tests can wait for.
func (w *world) newService(sender webhook.Sender) *webhook.Service {
	over := send.NewHTTP(check.Must(outbound.ParseAllowed("127.0.0.1"))(w.t), 200*time.Millisecond)
	w.t.Cleanup(over.Close)
	if sender == nil {
		sender = over
	}
	return webhook.NewService(webhook.Options{
		Jobs: job.NewRunner(job.Options{Store: w.catalog.Runs}), Store: w.catalog.Webhooks, Box: secret.NewBox(w.key), CheckURL: over.CheckURL, Sender: sender,
		Wait: func(failures int64) (time.Duration, bool) { return time.Millisecond, failures <= w.retries },
	})
}

// begin starts a process that delivers. stop interrupts it.
func (w *world) begin(service *webhook.Service) (stop func()) {
	w.t.Helper()
	jobs := job.NewRunner(job.Options{
		Store: w.catalog.Runs, Owner: time.Now().String(), Alone: true, LookEvery: 5 * time.Millisecond,
	})
	check.OK(w.t, jobs.Start(w.ctx, map[job.Kind]job.Worker{webhook.Kind: service}))
	once := sync.OnceFunc(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		jobs.Stop(now)
	})
	w.t.Cleanup(once)
	return once
}

// add adds a webhook for all events but those with scores.
func (w *world) add(url string, change ...func(*webhook.Content)) (webhook.Webhook, string) {
	w.t.Helper()
	content := webhook.Content{Name: "target", URL: url, Format: webhook.JSON, Events: []webhook.EventType{webhook.VersionPublished, webhook.LabelMoved}, Enabled: true}
	for _, do := range change {
		do(&content)
	}
	created, key, err := w.service.Create(w.ctx, w.home, content, nil)
	check.OK(w.t, err)
	return created, key
}

// publish publishes a version of a new prompt.
func (w *world) publish(workspace int64, name string) entity.Entity {
	w.t.Helper()
	e := check.Must(w.catalog.Entities.CreateEntity(w.ctx, entity.New{WorkspaceID: workspace, Kind: entity.KindPrompt, Name: name}))(w.t)
	check.Must(w.catalog.Entities.AddVersion(w.ctx, workspace, e.ID, entity.NewVersion{Body: []byte(`{}`)}))(w.t)
	return e
}

// deliveries returns all deliveries of a webhook, the oldest first.
func (w *world) deliveries(id int64) []webhook.Delivery {
	w.t.Helper()
	found, _, err := w.service.Deliveries(w.ctx, w.home, webhook.DeliveryQuery{Webhook: id, Page: entity.Page{Limit: 100}})
	check.OK(w.t, err)
	for i, j := 0, len(found)-1; i < j; i, j = i+1, j-1 {
		found[i], found[j] = found[j], found[i]
	}
	return found
}

// settled waits until a webhook has a number of deliveries, none of them pending.
func (w *world) settled(id int64, count int) (found []webhook.Delivery) {
	w.t.Helper()
	check.Eventually(w.t, "the end of all deliveries", func() bool {
		found = w.deliveries(id)
		for _, d := range found {
			if d.State == webhook.Pending {
				return false
			}
		}
		return len(found) == count
	})
	return found
}
