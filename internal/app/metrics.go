package app

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/guard"
	"github.com/promptuary/promptuary/internal/redact"
	"github.com/promptuary/promptuary/internal/rest"
)

// metrics holds the Prometheus metrics of the program.
type metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec

	mu     sync.RWMutex
	series map[outcome]series
}

// outcome is how a request of an operation ended.
type outcome struct {
	operation string
	status    int
}

// series are the metrics of an outcome. Finding them by their labels takes longer than
// counting.
type series struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

func newMetrics(a *App) *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "promptuary_requests_total", Help: "Requests by operation and status.",
		}, []string{"operation", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "promptuary_request_duration_seconds", Help: "Response time by operation.",
			Buckets: []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"operation"}),
		series: map[outcome]series{},
	}
	m.registry.MustRegister(m.requests, m.duration,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	m.gauge("promptuary_ingest_queued_logs", "Logs waiting to be written.", func() float64 { return float64(a.logs.IngestStats().Queued) })
	m.counter("promptuary_ingest_committed_logs_total", "Logs written.", func() float64 { return float64(a.logs.IngestStats().Committed) })
	m.counter("promptuary_ingest_batches_total", "Batches in which logs were written.", func() float64 { return float64(a.logs.IngestStats().Batches) })
	m.counter("promptuary_ingest_refused_logs_total", "Logs rejected because the queue or the disk was full.", func() float64 {
		stats := a.logs.IngestStats()
		return float64(stats.Refused + stats.Failed)
	})
	m.gauge("promptuary_store_pending_operations", "Durable operations not yet in the table and the text index.", func() float64 { return float64(a.storeStats().PendingOperations) })
	for _, q := range a.queues() {
		m.queue(q.name, q.Stats)
	}
	m.connections(a)
	m.counter("promptuary_scrubbed_bytes_total", "Bytes read by the background check of stored request logs.", func() float64 { return float64(a.storeStats().ScrubbedBytes) })
	m.counter("promptuary_scrub_passes_total", "Completed background checks of stored request logs.", func() float64 { return float64(a.storeStats().ScrubPasses) })
	m.gauge("promptuary_read_only", "1 while request logs or changes are refused, because the disk is full for example, and 0 otherwise.", func() float64 {
		if a.readsOnly() {
			return 1
		}
		return 0
	})
	m.counter("promptuary_panics_total", "Panics that were caught outside of requests. Each is a bug; the log has the stack.", func() float64 { return float64(guard.Panics()) })
	m.counter("promptuary_run_spans_dropped_total", "Spans of workflow and evaluation runs that could not be stored.", func() float64 { return float64(a.work.traces.Dropped()) })
	for _, kind := range redact.Kinds() {
		o := prometheus.CounterOpts{
			Name: "promptuary_redactions_total", Help: "Texts that redaction rules replaced, by what the rule matches.", ConstLabels: prometheus.Labels{"kind": kind},
		}
		m.registry.MustRegister(prometheus.NewCounterFunc(o, func() float64 { return float64(a.redactions.Total(kind)) }))
	}
	m.counter("promptuary_webhook_deliveries_total", "Events that targets of webhooks accepted.", func() float64 { return float64(a.work.webhooks.Stats().Accepted) })
	m.counter("promptuary_webhook_failures_total", "Attempts to deliver events that failed.", func() float64 { return float64(a.work.webhooks.Stats().Failed) })
	m.counter("promptuary_alert_evaluations_total", "Evaluations of alerts.", func() float64 { return float64(a.work.alerts.Stats().Evaluated) })
	m.counter("promptuary_alert_failures_total", "Evaluations of alerts that failed.", func() float64 { return float64(a.work.alerts.Stats().Failed) })
	m.counter("promptuary_alert_notices_total", "Evaluations of alerts that led to a message.", func() float64 { return float64(a.work.alerts.Stats().Told) })
	m.counter("promptuary_export_runs_total", "Runs of saved exports that are done.", func() float64 { return float64(a.work.savedExports.Stats().Done) })
	m.counter("promptuary_export_failures_total", "Runs of saved exports that failed.", func() float64 { return float64(a.work.savedExports.Stats().Failed) })
	m.counter("promptuary_webhook_dead_total", "Deliveries of events that were given up.", func() float64 { return float64(a.work.webhooks.Stats().Dead) })
	m.backups(a)
	m.gauge("promptuary_damaged_blocks", "Damaged parts of the journal found so far.", func() float64 { return float64(a.storeStats().DamagedBlocks) })
	m.gauge("promptuary_damaged_logs", "Request logs that cannot be read because of damage, at most.", func() float64 { return float64(a.storeStats().DamagedLogs) })
	m.gauge("promptuary_damaged_spans", "Spans that cannot be read because of damage, as far as they are known.", func() float64 { return float64(a.storeStats().DamagedSpans) })
	m.gauge("promptuary_catalog_problems", "Problems that the last background check of the SQLite catalog found.", func() float64 { return float64(a.catalogCheck.problems.Load()) })
	m.counter("promptuary_catalog_checks_total", "Completed background checks of the SQLite catalog.", func() float64 { return float64(a.catalogCheck.passes.Load()) })
	return m
}

// backups exports the outcome of the last backup. Times are 0 if there was none.
func (m *metrics) backups(a *App) {
	value := func(of func(backup.Status) float64) func() float64 {
		return func() float64 {
			last, found := a.lastBackup()
			if !found {
				return 0
			}
			return of(last)
		}
	}
	m.gauge("promptuary_backup_last_run_timestamp_seconds", "When the last backup of the data folder ended, 0 if there was none.", value(func(s backup.Status) float64 { return unixSeconds(s.Ended) }))
	m.gauge("promptuary_backup_last_point_timestamp_seconds", "When the last point of a backup was made, 0 if there is none.", value(func(s backup.Status) float64 {
		if s.Made == nil {
			return 0
		}
		return unixSeconds(*s.Made)
	}))
	m.gauge("promptuary_backup_last_run_complete", "1 if the last backup is complete, and 0 if it found damage, failed, or there was none.", value(func(s backup.Status) float64 {
		if s.Outcome == backup.Complete {
			return 1
		}
		return 0
	}))
}

// unixSeconds returns a time in seconds since 1970.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// queue exports the state of a queue.
func (m *metrics) queue(name string, stats func() fair.Stats) {
	labels := prometheus.Labels{"queue": name}
	gauge := func(metric, help string, value func(fair.Stats) int) {
		o := prometheus.GaugeOpts{Name: "promptuary_queue_" + metric, Help: help, ConstLabels: labels}
		m.registry.MustRegister(prometheus.NewGaugeFunc(o, func() float64 { return float64(value(stats())) }))
	}
	gauge("slots", "Tasks that can run at the same time.", func(s fair.Stats) int { return s.Slots })
	gauge("running", "Tasks that are running.", func(s fair.Stats) int { return s.Running })
	gauge("waiting", "Tasks that are waiting for a slot.", func(s fair.Stats) int { return s.Waiting })
	refused := prometheus.CounterOpts{
		Name: "promptuary_queue_refused_total", Help: "Tasks refused because their workspace had too many waiting.", ConstLabels: labels,
	}
	m.registry.MustRegister(prometheus.NewCounterFunc(refused, func() float64 { return float64(stats().Refused) }))
}

func (m *metrics) connections(a *App) {
	stats := func(value func(edge.Stats) int64) func() float64 {
		return func() float64 {
			if listener := a.connections.Load(); listener != nil {
				return float64(value(listener.Stats()))
			}
			return 0
		}
	}
	m.gauge("promptuary_connections_open", "Open connections.", stats(func(s edge.Stats) int64 { return s.Open }))
	m.gauge("promptuary_connections_limit", "Maximum number of open connections.", func() float64 { return float64(a.limits.Total) })
	m.counter("promptuary_connections_refused_total", "Connections refused because of a limit.", stats(func(s edge.Stats) int64 { return s.Refused }))
	m.counter("promptuary_connections_evicted_total", "Connections closed in favor of another client.", stats(func(s edge.Stats) int64 { return s.Evicted }))
	m.counter("promptuary_connections_stalled_total", "Connections closed because the client did not read the response.", stats(func(s edge.Stats) int64 { return s.Stalled }))
}

func (m *metrics) gauge(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, value))
}

func (m *metrics) counter(name, help string, value func() float64) {
	m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
}

func (m *metrics) observe(seen rest.Observation) {
	s := m.seriesOf(outcome{seen.Op.ID, seen.Status})
	s.requests.Inc()
	s.duration.Observe(seen.Duration.Seconds())
}

func (m *metrics) seriesOf(o outcome) series {
	m.mu.RLock()
	s, known := m.series[o]
	m.mu.RUnlock()
	if known {
		return s
	}
	s = series{m.requests.WithLabelValues(o.operation, strconv.Itoa(o.status)), m.duration.WithLabelValues(o.operation)}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.series[o] = s
	return s
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
