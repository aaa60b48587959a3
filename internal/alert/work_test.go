package alert_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/alert"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/webhook"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

// gauge is a log store with one number.
type gauge struct {
	mu    sync.Mutex
	value float64
	err   error
	calls int
	// during is called while a value is computed.
	during func()
}

func (g *gauge) Measure(ctx context.Context, _ int64, _ query.Input, _, _ time.Time, _ []chart.Dimension, _ ...chart.Measure) ([]chart.AggregateRow, error) {
	g.mu.Lock()
	g.calls++
	during, rows, err := g.during, []chart.AggregateRow{{Values: []*float64{new(5.0), new(g.value)}}}, g.err
	g.mu.Unlock()
	if during != nil {
		during()
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return rows, err
}

func (g *gauge) set(value float64, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.value, g.err = value, err
}

func (g *gauge) asked() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls
}

// world is a workspace with alerts.
type world struct {
	t       *testing.T
	ctx     context.Context
	catalog *catalog.Catalog
	home    int64
	logs    *gauge
	clock   *check.Clock
	service *alert.Service
	hook    webhook.Webhook
}

func newWorld(t *testing.T, dsn string) *world {
	t.Helper()
	w := &world{t: t, ctx: access.AsSystem(t.Context()), catalog: catalogtest.Open(t, dsn), logs: &gauge{}, clock: check.NewClock(time.Date(2026, 11, 16, 12, 0, 0, 0, time.UTC))}
	w.home = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	content := webhook.Content{Name: "chat", URL: "https://example.com", Format: webhook.JSON, Events: []webhook.EventType{webhook.Alert}, Enabled: true}
	w.hook = check.Must(w.catalog.Webhooks.CreateWebhook(w.ctx, webhook.Webhook{Workspace: w.home, Content: content}, func(int64) []byte { return []byte{} }))(t)
	w.service = w.newService()
	return w
}

func (w *world) newService() *alert.Service {
	return alert.NewService(alert.Options{Jobs: job.NewRunner(job.Options{Store: w.catalog.Runs}), Store: w.catalog.Alerts, Logs: w.logs, Clock: w.clock.Now})
}

// begin starts a process that evaluates alerts. stop interrupts it.
func (w *world) begin(service *alert.Service) (stop func()) {
	w.t.Helper()
	jobs := job.NewRunner(job.Options{Store: w.catalog.Runs, Owner: fmt.Sprint(time.Now().UnixNano()), LookEvery: 5 * time.Millisecond})
	check.OK(w.t, jobs.Start(w.ctx, map[job.Kind]job.Worker{alert.Kind: service}))
	once := sync.OnceFunc(func() {
		now, cancel := context.WithCancel(context.Background())
		cancel()
		jobs.Stop(now)
	})
	w.t.Cleanup(once)
	return once
}

func (w *world) add() alert.Alert {
	w.t.Helper()
	return check.Must(w.service.Create(w.ctx, w.home, alert.Content{
		Name: "cost", Enabled: true, Query: "{}", Measure: alert.Cost, Comparison: alert.Above, Threshold: 10, Window: 5 * time.Minute, Every: time.Minute, MinRequests: 1,
	}, nil))(w.t)
}

// again makes an alert due, and waits until it was evaluated again.
func (w *world) again(id int64) alert.Alert {
	w.t.Helper()
	w.clock.Advance(time.Second)
	before := w.logs.asked()
	check.Must(w.service.Update(w.ctx, w.home, id, func(*alert.Content) {}))(w.t)
	now := w.clock.Now().UTC().Truncate(time.Microsecond)
	var found alert.Alert
	check.Eventually(w.t, "an evaluation", func() bool {
		found = check.Must(w.service.Get(w.ctx, w.home, id))(w.t)
		return w.logs.asked() > before && found.EvaluatedAt != nil && !found.EvaluatedAt.Before(now)
	})
	return found
}

// notices returns why messages were sent, the oldest first.
func (w *world) notices() (kinds []string) {
	w.t.Helper()
	found, _, err := w.catalog.Webhooks.ListDeliveries(w.ctx, w.home, webhook.DeliveryQuery{Page: entity.Page{Limit: 100}})
	check.OK(w.t, err)
	for _, d := range slices.Backward(found) {
		whole := check.Must(w.catalog.Webhooks.GetDelivery(w.ctx, w.home, d.ID))(w.t)
		var notice struct {
			Details struct {
				Notice string `json:"notice"`
			} `json:"details"`
		}
		check.OK(w.t, json.Unmarshal([]byte(whole.Payload), &notice))
		kinds = append(kinds, notice.Details.Notice)
	}
	return kinds
}

func TestFiresAndResolves(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		defer w.begin(w.service)()
		id := w.add().ID
		w.logs.set(11, nil)
		check.Equal(t, "state", w.again(id).Shown(), alert.Firing)
		check.Equal(t, "state", w.again(id).Shown(), alert.Firing)
		w.logs.set(0, errors.New("the disk is on fire"))
		failed := w.again(id)
		check.Equal(t, "state", failed.Shown(), alert.Failed)
		check.Equal(t, "error", failed.Error, "The value could not be computed; see the server log")
		w.logs.set(10, nil)
		check.Equal(t, "state", w.again(id).Shown(), alert.OK)
		check.Equal(t, "notices", w.notices(), []string{"firing", "resolved"})
		changes, _, err := w.service.History(w.ctx, w.home, id, entity.Page{Limit: 10})
		check.OK(t, err)
		var states []alert.State
		for _, c := range slices.Backward(changes) {
			states = append(states, c.State)
		}
		check.Equal(t, "history", states[len(states)-3:], []alert.State{alert.Firing, alert.Failed, alert.OK})
	})
}

// Of several servers, one evaluates an alert when it is due.
func TestOneServerEvaluates(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.logs.set(11, nil)
		for range 3 {
			defer w.begin(w.newService())()
		}
		id := w.add().ID
		check.Eventually(t, "the first message", func() bool { return len(w.notices()) > 0 })
		for range 5 {
			w.again(id)
		}
		check.Equal(t, "notices", w.notices(), []string{"firing"})
		check.Equal(t, "evaluations", w.logs.asked(), 6)
	})
}

// A process that is lost before it stores an outcome leaves no trace, and what it
// does later has no effect: the next one evaluates, and sends the only message.
func TestLostProcess(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.logs.set(11, nil)
		began, goOn := make(chan struct{}), make(chan struct{})
		resume := sync.OnceFunc(func() { close(goOn) })
		var first atomic.Bool // not a sync.Once, which would hold up the second process
		w.logs.during = func() {
			if !first.Swap(true) {
				close(began)
				<-goOn
			}
		}
		stop := w.begin(w.service)
		t.Cleanup(resume)
		id := w.add().ID
		<-began
		check.OK(t, w.catalog.Runs.LeaveJobs(w.ctx)) // its lease has ended
		defer w.begin(w.newService())()
		check.Eventually(t, "the message of the second process", func() bool { return len(w.notices()) == 1 })
		resume()
		stop()
		check.Equal(t, "notices", w.notices(), []string{"firing"})
		changes, _, err := w.service.History(w.ctx, w.home, id, entity.Page{Limit: 10})
		check.OK(t, err)
		check.Equal(t, "changes", len(changes), 1)
	})
}

// An alert that is changed while it is evaluated is evaluated again; what was
// computed for the old content is dropped.
func TestChangeDuringEvaluation(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.logs.set(11, nil)
		var id int64
		w.logs.during = sync.OnceFunc(func() {
			check.Must(w.service.Update(w.ctx, w.home, id, func(c *alert.Content) { c.Threshold = 100 }))(t)
		})
		id = w.add().ID
		w.clock.Advance(time.Second)
		defer w.begin(w.service)()
		check.Eventually(t, "an evaluation", func() bool { return check.Must(w.service.Get(w.ctx, w.home, id))(t).EvaluatedAt != nil })
		check.Equal(t, "state", check.Must(w.service.Get(w.ctx, w.home, id))(t).Shown(), alert.OK)
		check.Equal(t, "notices", len(w.notices()), 0)
	})
}

// Disabled and deleted alerts are not evaluated, and enabled ones are at once.
func TestDisabled(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		w := newWorld(t, dsn)
		w.logs.set(11, nil)
		id := w.add().ID
		enable := func(on bool) {
			check.Must(w.service.Update(w.ctx, w.home, id, func(c *alert.Content) { c.Enabled = on }))(t)
		}
		enable(false)
		defer w.begin(w.service)()
		noJobs := func() bool { return len(check.Must(w.catalog.Runs.OpenJobs(w.ctx, nil, 10))(t)) == 0 }
		check.Eventually(t, "the end of the job", noJobs)
		check.Equal(t, "evaluations", w.logs.asked(), 0)
		enable(true)
		check.Eventually(t, "a message", func() bool { return len(w.notices()) == 1 })
		check.OK(t, w.service.Delete(w.ctx, w.home, id))
		check.Equal(t, "alerts", len(check.Must(w.service.List(w.ctx, w.home))(t)), 0)
	})
}
