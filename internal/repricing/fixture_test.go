package repricing_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/pgtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/job"
	"github.com/promptuary/promptuary/internal/logstore/embedded"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

func TestMain(m *testing.M) { os.Exit(pgtest.Main(m)) }

var errLost = errors.New("the process is lost")

// shaky fails one write of prices, before or after it is made.
type shaky struct {
	*requests.Service
	mu     sync.Mutex
	writes int
	// failAt is the number of the write that fails, 0 for none.
	failAt int
	after  bool
	// reached, if not nil, is called at each write.
	reached func(write int)
}

func (s *shaky) Reprice(ctx context.Context, change reqlog.PriceChange) error {
	s.mu.Lock()
	s.writes++
	write, fails := s.writes, s.writes == s.failAt
	s.mu.Unlock()
	if s.reached != nil {
		s.reached(write)
	}
	if fails && !s.after {
		return errLost
	}
	if err := s.Service.Reprice(ctx, change); err != nil || !fails {
		return err
	}
	return errLost
}

// world is a workspace with logs, and a process that re-prices them.
type world struct {
	t           testing.TB
	ctx         context.Context
	catalog     *catalog.Catalog
	store       *embedded.Store
	logs        *requests.Service
	prices      *pricing.Service
	home, other int64

	shaky   *shaky
	service *repricing.Service
	jobs    *job.Runner
}

func newWorld(t testing.TB, dsn string) *world {
	t.Helper()
	w := &world{t: t, ctx: access.AsSystem(t.Context()), catalog: catalogtest.Open(t, dsn)}
	w.home = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.other = check.Must(w.catalog.Accounts.CreateWorkspace(w.ctx, "other"))(t).ID
	store := check.Must(embedded.Open(w.ctx, filepath.Join(t.TempDir(), "logs"), embedded.Options{MemoryMB: 128, Threads: 1, MinFreeMB: -1}))(t)
	t.Cleanup(func() { check.OK(t, store.Close()) })
	w.store = store
	w.prices = pricing.NewService(w.catalog.Prices, nil)
	w.logs = requests.NewService(requests.Options{Store: store, Groups: w.catalog.Groups, Sequence: w.catalog.Sequences, Prices: w.prices})
	t.Cleanup(func() { check.OK(t, w.logs.Drain(context.Background())) })
	return w
}

// begin starts a process that writes few logs at once.
func (w *world) begin(logs *shaky) {
	w.t.Helper()
	logs.Service = w.logs
	w.shaky = logs
	w.jobs = job.NewRunner(job.Options{Store: w.catalog.Runs, Owner: time.Now().String(), Alone: true, LookEvery: 5 * time.Millisecond})
	w.service = repricing.NewService(repricing.Options{Jobs: w.jobs, Store: w.catalog.Repricings, Logs: logs, Prices: w.prices})
	if _, bench := w.t.(*testing.B); !bench {
		w.service.SetParts(3)
	}
	check.OK(w.t, w.jobs.Start(w.ctx, map[job.Kind]job.Worker{repricing.Kind: w.service}))
	w.t.Cleanup(w.stop)
}

func (w *world) stop() { w.jobs.Stop(context.Background()) }

const day = 24 * time.Hour

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// log writes a log of a model of our own, with a million input tokens.
func (w *world) log(workspace int64, model string, sent *float64) int64 {
	w.t.Helper()
	l := &reqlog.Log{
		Provider: "house", Engine: model, Status: reqlog.StatusSuccess, Start: reqlog.At(noon), End: reqlog.At(noon.Add(time.Second)),
		Input: []byte(`{"type":"completion","content":[]}`), Output: []byte(`{"type":"completion","content":[]}`),
		Usage: provider.Usage{Input: provider.Tokens(1_000_000)},
	}
	if sent != nil {
		l.Price = reqlog.Price{USD: *sent, Source: reqlog.PriceSent}
	}
	return check.Must(w.logs.Log(w.ctx, workspace, &reqlog.LogInput{Log: l}))(w.t).ID
}

// price sets the price of a model.
func (w *world) price(workspace int64, model string, from time.Time, input float64) {
	w.t.Helper()
	check.Must(w.prices.Create(w.ctx, workspace, pricing.Content{Provider: "house", Model: model, ValidFrom: from, Rates: pricing.Rates{Input: input, Output: 1}}, nil))(w.t)
}

// pricesOf returns the prices of logs.
func (w *world) pricesOf(workspace int64, ids []int64) []reqlog.Price {
	w.t.Helper()
	list := make([]reqlog.Price, len(ids))
	for i, id := range ids {
		list[i] = check.Must(w.logs.Get(w.ctx, workspace, id))(w.t).Price
	}
	return list
}

func (w *world) start(in repricing.Input) repricing.Repricing {
	w.t.Helper()
	return check.Must(w.service.Start(w.ctx, w.home, in, new("ann@x.test")))(w.t)
}

// ended waits for the end of a re-pricing.
func (w *world) ended(id int64) (r repricing.Repricing) {
	w.t.Helper()
	check.Eventually(w.t, "the end of the re-pricing", func() bool {
		r = check.Must(w.service.Get(w.ctx, w.home, id))(w.t)
		return !r.Active()
	})
	return r
}
