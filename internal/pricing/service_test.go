package pricing_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider"
)

// counted counts how often the prices are read.
type counted struct {
	pricing.Store
	mu    sync.Mutex
	lists int
}

func (c *counted) ListPrices(ctx context.Context, workspace int64) ([]pricing.Price, error) {
	c.mu.Lock()
	c.lists++
	c.mu.Unlock()
	return c.Store.ListPrices(ctx, workspace)
}

// world is a service over a new catalog with two workspaces.
type world struct {
	ctx         context.Context
	store       *counted
	service     *pricing.Service
	home, other int64
	now         time.Time
}

func newWorld(t *testing.T) *world {
	t.Helper()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	w := &world{ctx: access.AsSystem(t.Context()), store: &counted{Store: c.Prices}, now: day("2026-11-16")}
	w.home = check.Must(c.Accounts.CreateWorkspace(w.ctx, "home"))(t).ID
	w.other = check.Must(c.Accounts.CreateWorkspace(w.ctx, "other"))(t).ID
	w.service = pricing.NewService(w.store, func() time.Time { return w.now })
	return w
}

func (w *world) cost(t *testing.T, s *pricing.Service, workspace int64) (float64, bool) {
	t.Helper()
	quote, known, err := s.Cost(w.ctx, workspace, "openai", "house", w.now, provider.Usage{Input: provider.Tokens(1_000_000)})
	check.OK(t, err)
	return quote.USD, known
}

func TestCustomPricesHoldInTheirWorkspace(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	if usd, known := w.cost(t, w.service, w.home); known {
		t.Errorf("an unknown model costs %v", usd)
	}
	made := check.Must(w.service.Create(w.ctx, w.home, price("openai", "house", "2026-01-01", 3, 4).Content, nil))(t)
	for _, step := range []struct {
		change func() error
		want   float64
	}{
		{func() error { return nil }, 3},
		{func() error {
			return check.Failure(w.service.Update(w.ctx, w.home, made.ID, func(c *pricing.Content) { c.Input = 5 }))
		}, 5},
		{func() error {
			return w.service.Import(w.ctx, w.home, []pricing.Content{price("openai", "house", "2026-01-01", 7, 8).Content}, nil)
		}, 7},
		{func() error { return w.service.Delete(w.ctx, w.home, made.ID) }, 0},
	} {
		check.OK(t, step.change())
		usd, _ := w.cost(t, w.service, w.home)
		check.Equal(t, "cost", usd, step.want)
		if _, known := w.cost(t, w.service, w.other); known {
			t.Error("the price holds in another workspace")
		}
	}
}

// TestTablesAreCached checks that prices are read once, and that the changes of
// another process are seen after a second.
func TestTablesAreCached(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	elsewhere := pricing.NewService(w.store.Store, nil)
	for range 100 {
		w.cost(t, w.service, w.home)
	}
	check.Equal(t, "reads", w.store.lists, 1)
	check.Must(elsewhere.Create(w.ctx, w.home, price("openai", "house", "2026-01-01", 3, 4).Content, nil))(t)
	if _, known := w.cost(t, w.service, w.home); known {
		t.Error("the table was not cached")
	}
	w.now = w.now.Add(time.Second)
	usd, known := w.cost(t, w.service, w.home)
	check.Equal(t, "cost", []any{usd, known}, []any{3.0, true})
	check.Equal(t, "reads", w.store.lists, 2)
	w.now = w.now.Add(time.Second)
	w.cost(t, w.service, w.home)
	check.Equal(t, "reads when nothing changed", w.store.lists, 2)
}

func TestRejectedPrices(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	many := make([]pricing.Content, pricing.MaxPrices+1)
	for i := range many {
		many[i] = price("openai", fmt.Sprint(i), "2026-01-01", 1, 1).Content
	}
	for name, content := range map[string]pricing.Content{
		"no provider":    price("", "a", "2026-01-01", 1, 1).Content,
		"long provider":  price(strings.Repeat("é", 101), "a", "2026-01-01", 1, 1).Content,
		"no model":       price("a", "", "2026-01-01", 1, 1).Content,
		"long model":     price("a", strings.Repeat("é", 256), "2026-01-01", 1, 1).Content,
		"many stars":     price("a", "******", "2026-01-01", 1, 1).Content,
		"negative":       price("a", "a", "2026-01-01", -1, 1).Content,
		"too high":       price("a", "a", "2026-01-01", 1, 1e308).Content,
		"no start":       {Provider: "a", Model: "a", ValidFrom: time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)},
		"too late start": {Provider: "a", Model: "a", ValidFrom: time.Date(10_000, 1, 1, 0, 0, 0, 0, time.UTC)},
	} {
		if _, err := w.service.Create(w.ctx, w.home, content, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("create %s: %v", name, err)
		}
		if err := w.service.Import(w.ctx, w.home, []pricing.Content{many[0], content}, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("import %s: %v", name, err)
		}
	}
	for name, contents := range map[string][]pricing.Content{"too many": many, "twice": {many[0], many[0]}} {
		if err := w.service.Import(w.ctx, w.home, contents, nil); !fault.Is(err, fault.Invalid) {
			t.Errorf("import %s: %v", name, err)
		}
	}
	left := check.Must(w.service.List(w.ctx, w.home, pricing.Query{Source: pricing.Custom}))(t)
	check.Equal(t, "prices", len(left), 0)
}

func TestFilesRoundTrip(t *testing.T) {
	t.Parallel()
	prices := append(pricing.List(), pricing.Price{Content: pricing.Content{
		Provider: `a,"b"`, Model: "x\ny", ValidFrom: time.Date(2026, 1, 2, 3, 4, 5, 6000, time.UTC),
		Rates: pricing.Rates{Input: 1e-9, Output: 1e6, Reasoning: new(0.0)},
	}})
	var file bytes.Buffer
	check.OK(t, pricing.WriteCSV(&file, prices))
	read := check.Must(pricing.ReadCSV("\ufeff" + file.String()))(t)
	want := make([]pricing.Content, len(prices))
	for i := range prices {
		want[i] = prices[i].Content
	}
	check.Equal(t, "prices", read, want)
}

func TestFilesAreBounded(t *testing.T) {
	t.Parallel()
	lines := strings.Repeat("a,b,1,2\n", pricing.MaxPrices+1)
	if _, err := pricing.ReadCSV("provider,model,input,output\n" + lines); !fault.Is(err, fault.Invalid) {
		t.Errorf("got %v", err)
	}
}
