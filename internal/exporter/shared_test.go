package exporter_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/blob"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/export"
	"github.com/promptuary/promptuary/internal/exporter"
	"github.com/promptuary/promptuary/internal/logstore/clickhouse"
	"github.com/promptuary/promptuary/internal/reqlog/ingest"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
	"github.com/promptuary/promptuary/test/clickhouse/clickhousetest"
)

// TestEachLogOnceWithSeveralServers lets two servers write logs whose ids come from
// blocks of their own: a log that arrives late, with a lower id than those that are
// there, must be in an export, and none twice.
func TestEachLogOnceWithSeveralServers(t *testing.T) {
	dsn, database := catalogtest.PostgreSQL(t), clickhousetest.Start(t)
	w := newWorld(t, dsn)
	clock := catalogtest.StopClock(t, dsn, noon)
	server := func() *requests.Service {
		store := check.Must(clickhouse.Open(w.ctx, database, clickhouse.Options{Installation: "ours"}))(t)
		t.Cleanup(func() { check.OK(t, store.Close()) })
		s := requests.NewService(requests.Options{Store: store, Groups: w.catalog.Groups, Sequence: w.catalog.Sequences, Ingest: ingest.Options{IDBlock: 10}})
		t.Cleanup(func() { check.OK(t, s.Drain(context.Background())) })
		return s
	}
	first, second := server(), server()
	w.options.Exports = export.NewService(export.Options{
		Store: w.catalog.Exports, Logs: first, Audit: audit.NewService(w.catalog.Accounts),
		Settled: func(ctx context.Context) (int64, error) { return w.catalog.Sequences.SettledID(ctx, "request_log") },
	})
	w.begin()
	w.service.SetPartIDs(10_000)
	c := content(w.folder)
	c.Incremental = true
	id := w.create(c).ID

	var written []int64
	write := func(to *requests.Service) {
		w.logs = to
		written = append(written, w.log(w.home, 1))
	}
	write(first)
	write(second)
	write(first)
	late := max(written[0], written[1])
	write(second)
	check.Equal(t, "a log has a lower id than an earlier one", min(written[2], written[3]) < late, true)
	check.Equal(t, "rows at once", w.run(id).Rows, int64(0))
	write(first)
	clock.Advance(catalog.SettleTime)
	settled := w.run(id)
	check.Equal(t, "state", []any{settled.State, settled.Failure, settled.Rows}, []any{exporter.Done, "", int64(5)})
	second = server() // the ids that it had are too old
	for range 20 {
		write(second)
	}
	clock.Advance(catalog.SettleTime)
	check.Equal(t, "rows of the second run", w.run(id).Rows, int64(20))
	check.Equal(t, "rows of the third run", w.run(id).Rows, int64(0))
	check.Equal(t, "each once", ids(t, read(t, blob.NewFolder(w.folder))), slices.Sorted(slices.Values(written)))
}

// TestAuditEntriesThatMayStillAppear expects that the newest entries wait for others
// whose transactions take longer.
func TestAuditEntriesThatMayStillAppear(t *testing.T) {
	w := newWorld(t, catalogtest.SQLite(t))
	w.options.Exports = export.NewService(export.Options{
		Store: w.catalog.Exports, Logs: w.logs, Audit: audit.NewService(w.catalog.Accounts), AuditDelay: time.Hour,
	})
	w.begin()
	c := content(w.folder)
	c.Source, c.Incremental = exporter.Audit, true
	id := w.create(c).ID
	check.Equal(t, "rows of an incremental export", w.run(id).Rows, int64(0))
	c.Name, c.Incremental = "everything", false
	c.Address = w.folder + "/all"
	check.Equal(t, "rows of another", w.run(w.create(c).ID).Rows > 0, true)
}
