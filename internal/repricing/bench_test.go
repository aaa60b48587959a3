package repricing_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/provider"
	"github.com/promptuary/promptuary/internal/repricing"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// benchLogs is the number of logs that are priced again.
const benchLogs = 1_000_000

// million writes logs of ten models without a price.
func (w *world) million() {
	w.t.Helper()
	const batch = 5000
	first := check.Must(w.catalog.Sequences.ReserveIDs(w.ctx, "request_log", benchLogs))(w.t)
	for from := int64(0); from < benchLogs; from += batch {
		logs := make([]*reqlog.Log, batch)
		for i := range logs {
			n := from + int64(i)
			logs[i] = &reqlog.Log{
				ID: first + n, Workspace: w.home, Provider: "house", Engine: fmt.Sprintf("model-%d", n%10), Status: reqlog.StatusSuccess,
				Start: reqlog.At(noon) + reqlog.Micros(n), End: reqlog.At(noon) + reqlog.Micros(n+1000),
				Input: []byte(`{"type":"completion","content":[]}`), Output: []byte(`{"type":"completion","content":[]}`),
				Usage: provider.Usage{Input: provider.Tokens(n % 5000), Output: provider.Tokens(n % 700), CacheRead: provider.Tokens(n % 100)},
			}
			reqlog.Derive(logs[i])
		}
		check.OK(w.t, w.store.Write(w.ctx, reqlog.Batch{Logs: logs}))
	}
}

// BenchmarkReprice measures a preview, a re-pricing and its return, of a million
// logs, while another workspace logs and waits for each log.
func BenchmarkReprice(b *testing.B) {
	w := newWorld(b, catalogtest.SQLite(b))
	w.million()
	w.price(w.home, "model-*", noon.Add(-day), 2)
	w.begin(&shaky{})
	in := repricing.Input{Query: everything}
	idle := w.longest(nil)
	check.Must(w.logs.Count(w.ctx, w.home, query.Input{}))(b) // waits until all are in the table
	for b.Loop() {
		began := time.Now()
		check.Must(w.service.Preview(w.ctx, w.home, in))(b)
		b.ReportMetric(time.Since(began).Seconds(), "preview-s")

		stop, slowest := make(chan struct{}), make(chan time.Duration)
		go func() { slowest <- w.longest(stop) }()
		began = time.Now()
		id := w.start(in).ID
		w.await(id)
		b.ReportMetric(time.Since(began).Seconds(), "run-s")
		began = time.Now()
		check.Must(w.service.Revert(w.ctx, w.home, id))(b)
		w.await(id)
		b.ReportMetric(time.Since(began).Seconds(), "revert-s")
		close(stop)
		b.ReportMetric(float64((<-slowest).Milliseconds()), "slowest-log-ms")
	}
	b.ReportMetric(float64(idle.Milliseconds()), "slowest-log-idle-ms")
}

// await waits for the end of a re-pricing for as long as it takes.
func (w *world) await(id int64) {
	w.t.Helper()
	for range time.Tick(50 * time.Millisecond) {
		if r := check.Must(w.service.Get(w.ctx, w.home, id))(w.t); !r.Active() {
			return
		}
	}
}

// longest logs one request after the other, 1,000 times or until it is stopped,
// and returns how long the slowest took.
func (w *world) longest(stop <-chan struct{}) (slowest time.Duration) {
	for n := 0; ; n++ {
		select {
		case <-stop:
			return slowest
		default:
		}
		if stop == nil && n == 1000 {
			return slowest
		}
		began := time.Now()
		w.log(w.other, "other", nil)
		slowest = max(slowest, time.Since(began))
	}
}

// BenchmarkCost measures what computing a price adds to a log.
func BenchmarkCost(b *testing.B) {
	table := pricing.NewTable(nil)
	usage := provider.Usage{Input: provider.Tokens(1000), Output: provider.Tokens(100), CacheRead: provider.Tokens(500)}
	for b.Loop() {
		if _, known := table.Cost("openai", "gpt-4o-2024-08-06", noon, usage); !known {
			b.Fatal("no price")
		}
	}
}
