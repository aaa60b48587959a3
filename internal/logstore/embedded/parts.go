package embedded

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// The methods of requests.Store, each by the part that does it.

// Healthy returns why writes are currently rejected, or nil.
func (s *Store) Healthy() error { return s.writer.healthy() }

// Damage returns the damage of the journal that has been found.
func (s *Store) Damage() []Damage { return s.losses.list() }

// Write implements reqlog.Writer.
func (s *Store) Write(ctx context.Context, batch reqlog.Batch) error {
	return s.writer.write(ctx, batch)
}

// Backlog implements reqlog.Writer.
func (s *Store) Backlog() float64 {
	return s.queue.backlog()
}

// LastID implements reqlog.Writer.
func (s *Store) LastID() int64 {
	return s.index.lastID()
}

// Exists implements query.Reader.
func (s *Store) Exists(ctx context.Context, workspace, id int64) error {
	return s.archive.exists(ctx, workspace, id)
}

// Get implements query.Reader.
func (s *Store) Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error) {
	return s.reader.get(ctx, workspace, id)
}

// Search implements query.Reader.
func (s *Store) Search(ctx context.Context, q query.SearchQuery) (query.Found, error) {
	return s.reader.search(ctx, q)
}

// SearchTraces implements query.Reader.
func (s *Store) SearchTraces(ctx context.Context, q query.SearchQuery) (query.FoundTraces, error) {
	return s.reader.searchTraces(ctx, q)
}

// GroupTraces implements query.Reader.
func (s *Store) GroupTraces(ctx context.Context, q query.TraceGroupQuery) (query.FoundTraceGroups, error) {
	return s.reader.groupTraces(ctx, q)
}

// Trace implements query.Reader.
func (s *Store) Trace(ctx context.Context, q query.TraceQuery) (*reqlog.Trace, error) {
	return s.reader.trace(ctx, q)
}

// Outline implements query.Reader.
func (s *Store) Outline(ctx context.Context, q query.TraceQuery) (*reqlog.Outline, error) {
	return s.reader.outline(ctx, q)
}

// Span implements query.Reader.
func (s *Store) Span(ctx context.Context, q reqlog.SpanQuery) (reqlog.FoundSpan, error) {
	return s.reader.span(ctx, q)
}

// Usages implements query.Reader.
func (s *Store) Usages(ctx context.Context, q query.UsageQuery) ([]query.LogUsage, error) {
	return s.reader.usages(ctx, q)
}

// ScanLogs implements query.Reader.
func (s *Store) ScanLogs(ctx context.Context, q query.ScanQuery) (*query.Scanned, error) {
	return s.reader.scanLogs(ctx, q)
}

// ScanSpans implements query.Reader.
func (s *Store) ScanSpans(ctx context.Context, q query.SpanScanQuery) (*query.ScannedSpans, error) {
	return s.reader.scanSpans(ctx, q)
}

// Suggest implements chart.Analyser.
func (s *Store) Suggest(ctx context.Context, q query.SuggestQuery) ([]string, error) {
	return s.reader.suggest(ctx, q)
}

// Analyze implements chart.Analyser.
func (s *Store) Analyze(ctx context.Context, q chart.AnalyzeQuery) (*chart.Analytics, error) {
	return s.reader.analyze(ctx, q)
}

// Aggregate implements chart.Analyser.
func (s *Store) Aggregate(ctx context.Context, q chart.AggregateQuery) ([]chart.AggregateRow, error) {
	return s.reader.aggregate(ctx, q)
}

// Reclaim implements reqlog.Remover.
func (s *Store) Reclaim(ctx context.Context, progress reqlog.ReclaimProgress) (reqlog.Reclaimed, error) {
	return s.reclaimer.reclaim(ctx, progress)
}
