package app

import (
	"time"

	"github.com/promptuary/promptuary/internal/app/metrics"
	"github.com/promptuary/promptuary/internal/backup"
	"github.com/promptuary/promptuary/internal/edge"
	"github.com/promptuary/promptuary/internal/guard"
)

// addMetrics adds the metrics of the components and of the whole.
func (a *App) addMetrics() {
	m := a.edge.metrics
	for _, c := range a.components() {
		c.Metrics(m)
	}
	for _, q := range a.queues() {
		m.Queue(q)
	}
	a.connectionMetrics(m)
	a.backupMetrics(m)
	m.Gauge("promptuary_read_only", "1 while request logs or changes are refused, because the disk is full for example, and 0 otherwise.",
		func() float64 { return oneIf(a.readsOnly()) })
	m.Counter("promptuary_panics_total", "Panics that were caught outside of requests. Each is a bug; the log has the stack.",
		func() float64 { return float64(guard.Panics()) })
}

// oneIf returns 1 for true and 0 for false.
func oneIf(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// backups exports the outcome of the last backup. Times are 0 if there was none.
func (a *App) backupMetrics(m *metrics.Set) {
	value := func(of func(backup.Status) float64) func() float64 {
		return func() float64 {
			last, found := a.lastBackup()
			if !found {
				return 0
			}
			return of(last)
		}
	}
	m.Gauge("promptuary_backup_last_run_timestamp_seconds", "When the last backup of the data folder ended, 0 if there was none.",
		value(func(s backup.Status) float64 { return unixSeconds(s.Ended) }))
	m.Gauge("promptuary_backup_last_point_timestamp_seconds", "When the last point of a backup was made, 0 if there is none.",
		value(func(s backup.Status) float64 {
			if s.Made == nil {
				return 0
			}
			return unixSeconds(*s.Made)
		}))
	m.Gauge("promptuary_backup_last_run_complete", "1 if the last backup is complete, and 0 if it found damage, failed, or there was none.",
		value(func(s backup.Status) float64 { return oneIf(s.Outcome == backup.Complete) }))
}

// unixSeconds returns a time in seconds since 1970.
func unixSeconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

// connectionMetrics adds the metrics of connections.
func (a *App) connectionMetrics(m *metrics.Set) {
	stats := func(value func(edge.Stats) int64) func() float64 {
		return func() float64 {
			if listener := a.edge.connections.Load(); listener != nil {
				return float64(value(listener.Stats()))
			}
			return 0
		}
	}
	m.Gauge("promptuary_connections_open", "Open connections.",
		stats(func(s edge.Stats) int64 { return s.Open }))
	m.Gauge("promptuary_connections_limit", "Maximum number of open connections.",
		func() float64 { return float64(a.edge.limits.Total) })
	m.Counter("promptuary_connections_refused_total", "Connections refused because of a limit.",
		stats(func(s edge.Stats) int64 { return s.Refused }))
	m.Counter("promptuary_connections_evicted_total", "Connections closed in favor of another client.",
		stats(func(s edge.Stats) int64 { return s.Evicted }))
	m.Counter("promptuary_connections_stalled_total", "Connections closed because the client did not read the response.",
		stats(func(s edge.Stats) int64 { return s.Stalled }))
}
