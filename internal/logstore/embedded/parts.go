package embedded

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// The methods of reqlog.Store, each by the part that does it.

// Healthy returns why writes are currently rejected, or nil.
func (s *Store) Healthy() error { return s.writer.healthy() }

// Damage returns the damage of the journal found so far.
func (s *Store) Damage() []Damage { return s.losses.list() }

// Write implements reqlog.Store.
func (s *Store) Write(ctx context.Context, batch reqlog.Batch) error {
	return s.writer.write(ctx, batch)
}

// Backlog implements reqlog.Store.
func (s *Store) Backlog() float64 {
	return s.queue.backlog()
}

// LastID implements reqlog.Store.
func (s *Store) LastID() int64 {
	return s.index.lastID()
}

// Exists implements reqlog.Store.
func (s *Store) Exists(ctx context.Context, workspace, id int64) error {
	return s.archive.exists(ctx, workspace, id)
}

// Get implements reqlog.Store.
func (s *Store) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return s.reader.get(ctx, workspace, id)
}

// Search implements reqlog.Store.
func (s *Store) Search(ctx context.Context, q reqlog.SearchQuery) (reqlog.Found, error) {
	return s.reader.search(ctx, q)
}

// SearchTraces implements reqlog.Store.
func (s *Store) SearchTraces(ctx context.Context, q reqlog.SearchQuery) (reqlog.FoundTraces, error) {
	return s.reader.searchTraces(ctx, q)
}

// GroupTraces implements reqlog.Store.
func (s *Store) GroupTraces(ctx context.Context, q reqlog.TraceGroupQuery) (reqlog.FoundTraceGroups, error) {
	return s.reader.groupTraces(ctx, q)
}

// Trace implements reqlog.Store.
func (s *Store) Trace(ctx context.Context, q reqlog.TraceQuery) (*reqlog.Trace, error) {
	return s.reader.trace(ctx, q)
}

// Outline implements reqlog.Store.
func (s *Store) Outline(ctx context.Context, q reqlog.TraceQuery) (*reqlog.Outline, error) {
	return s.reader.outline(ctx, q)
}

// Span implements reqlog.Store.
func (s *Store) Span(ctx context.Context, q reqlog.SpanQuery) (reqlog.FoundSpan, error) {
	return s.reader.span(ctx, q)
}

// Usages implements reqlog.Store.
func (s *Store) Usages(ctx context.Context, q reqlog.UsageQuery) ([]reqlog.LogUsage, error) {
	return s.reader.usages(ctx, q)
}

// ScanLogs implements reqlog.Store.
func (s *Store) ScanLogs(ctx context.Context, q reqlog.ScanQuery) (*reqlog.Scanned, error) {
	return s.reader.scanLogs(ctx, q)
}

// ScanSpans implements reqlog.Store.
func (s *Store) ScanSpans(ctx context.Context, q reqlog.SpanScanQuery) (*reqlog.ScannedSpans, error) {
	return s.reader.scanSpans(ctx, q)
}

// Suggest implements reqlog.Store.
func (s *Store) Suggest(ctx context.Context, q reqlog.SuggestQuery) ([]string, error) {
	return s.reader.suggest(ctx, q)
}

// Analyze implements reqlog.Store.
func (s *Store) Analyze(ctx context.Context, q reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	return s.reader.analyze(ctx, q)
}

// Aggregate implements reqlog.Store.
func (s *Store) Aggregate(ctx context.Context, q reqlog.AggregateQuery) ([]reqlog.AggregateRow, error) {
	return s.reader.aggregate(ctx, q)
}

// Reclaim implements reqlog.Store.
func (s *Store) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (reqlog.Reclaimed, error) {
	return s.reclaimer.reclaim(ctx, progress)
}
