// Package logs opens the store of request logs and builds the services for them.
package logs

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"golang.org/x/sys/unix"

	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/config"
	"github.com/promptuary/promptuary/internal/pricing"
	"github.com/promptuary/promptuary/internal/prompt"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/internal/trace"
	"github.com/promptuary/promptuary/internal/view"
)

// Options are what request logs are built on.
type Options struct {
	Config  config.Config
	Catalog *catalog.Catalog
	// Installation is the id of the installation.
	Installation string
	// Prompts finds the prompts of logs, and Keys returns the names of keys.
	Prompts *prompt.Service
	Keys    func(ctx context.Context, workspace int64) (map[int64]string, error)
	// RedactionKey makes the hashes of redacted texts different from those of other
	// installations.
	RedactionKey []byte
	Logger       *slog.Logger
}

// Logs has the store and the services.
type Logs struct {
	Service *requests.Service
	Store   Store
	Prices  *pricing.Service
	Views   *view.Service

	catalog    *catalog.Catalog
	redactions *redact.Service
	shared     bool
}

// Open opens the store and builds the services.
func Open(ctx context.Context, o Options) (_ *Logs, err error) {
	l := &Logs{
		catalog: o.Catalog, Prices: pricing.NewService(o.Catalog.Prices, nil), Views: view.NewService(o.Catalog.Views),
		redactions: redact.NewService(o.Catalog.Redactions, o.RedactionKey, nil), shared: o.Config.SharesCatalog(),
	}
	if l.Store, err = openStore(ctx, o); err != nil {
		return nil, err
	}
	ids := &sequence{inner: o.Catalog.Sequences, above: l.Store.LastID()}
	if err := ids.ensure(ctx); err != nil && !errors.Is(err, unix.ENOSPC) {
		return nil, errors.Join(err, l.Store.Close())
	}
	l.Service = requests.NewService(requests.Options{
		Store: l.Store, Prompts: o.Prompts, Keys: o.Keys, Prices: l.Prices, Groups: o.Catalog.Groups, Sequence: ids,
		Redactions: l.redactions, SpanIndex: trace.Index,
		Ingest: ingest.Options{MaxLogs: o.Config.QueueLogs, MaxBytes: o.Config.QueueBytes, IDLife: l.idLife()},
	})
	return l, nil
}

// idLife returns how long request ids may be written after their reservation. It is
// limited if other servers want to know which ids no log gets any more.
func (l *Logs) idLife() time.Duration {
	if l.shared {
		return catalog.SettleTime / 3
	}
	return 0
}

// Settled returns what finds the id up to which request logs are complete, nil if this
// server writes all of them.
func (l *Logs) Settled() func(ctx context.Context) (int64, error) {
	if !l.shared {
		return nil
	}
	return func(ctx context.Context) (int64, error) { return l.catalog.Sequences.SettledID(ctx, requestSequence) }
}

// Routes adds the services to those of the operations.
func (l *Logs) Routes(s *api.Services) {
	s.Logs.Logs, s.Logs.Views, s.Logs.Prices = l.Service, l.Views, l.Prices
	s.Traces.Logs = l.Service
	s.Data.Logs, s.Data.Redactions = l.Service, l.redactions
}

// Queues returns the queue in which queries of workspaces take turns.
func (l *Logs) Queues() []metrics.Queue {
	return []metrics.Queue{{Name: "queries", Queue: l.Service.Queries()}}
}

// Metrics adds the metrics of request logs.
func (l *Logs) Metrics(m *metrics.Set) {
	l.ingestMetrics(m)
	stats := l.Stats
	m.Gauge("promptuary_store_pending_operations", "Durable operations not yet in the table and the text index.",
		func() float64 { return float64(stats().PendingOperations) })
	m.Counter("promptuary_scrubbed_bytes_total", "Bytes read by the background check of stored request logs.",
		func() float64 { return float64(stats().ScrubbedBytes) })
	m.Counter("promptuary_scrub_passes_total", "Completed background checks of stored request logs.",
		func() float64 { return float64(stats().ScrubPasses) })
	m.Gauge("promptuary_damaged_blocks", "Damaged parts of the journal that were found.",
		func() float64 { return float64(stats().DamagedBlocks) })
	m.Gauge("promptuary_damaged_logs", "Request logs that cannot be read because of damage, at most.",
		func() float64 { return float64(stats().DamagedLogs) })
	m.Gauge("promptuary_damaged_spans", "Spans that cannot be read because of damage, as far as they are known.",
		func() float64 { return float64(stats().DamagedSpans) })
	for _, kind := range redact.Kinds() {
		m.CounterOf("promptuary_redactions_total", "Texts that redaction rules replaced, by what the rule matches.", "kind", kind,
			func() float64 { return float64(l.redactions.Total(kind)) })
	}
}

func (l *Logs) ingestMetrics(m *metrics.Set) {
	stats := l.Service.IngestStats
	m.Gauge("promptuary_ingest_queued_logs", "Logs waiting to be written.", func() float64 { return float64(stats().Queued) })
	m.Counter("promptuary_ingest_committed_logs_total", "Logs written.", func() float64 { return float64(stats().Committed) })
	m.Counter("promptuary_ingest_batches_total", "Batches in which logs were written.", func() float64 { return float64(stats().Batches) })
	m.Counter("promptuary_ingest_refused_logs_total", "Logs rejected because the queue or the disk was full.", func() float64 {
		now := stats()
		return float64(now.Refused + now.Failed)
	})
}

// Close writes queued logs and closes the store.
func (l *Logs) Close(ctx context.Context) error {
	return errors.Join(l.Service.Drain(ctx), l.Store.Close())
}
