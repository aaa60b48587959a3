package requests

import (
	"context"
	"errors"
	"runtime"
	"time"

	"github.com/promptuary/promptuary/internal/fair"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// maxWaitingQueries limits the waiting queries of one workspace.
const maxWaitingQueries = 500

// sharedStore is a store whose queries wait for their turn, so that a workspace
// with many of them does not delay the others.
type sharedStore struct {
	Store
	queries *fair.Queue
}

// share returns the store with shared queries. Engines use several cores for
// one query, and wait for the disk in between.
func share(store Store) sharedStore {
	each := 2 * runtime.GOMAXPROCS(0)
	return sharedStore{store, fair.New(fair.Options{Slots: each + 2, Each: each, Waiting: maxWaitingQueries})}
}

// Search waits for its turn.
func (s sharedStore) Search(ctx context.Context, q query.SearchQuery) (query.Found, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) (query.Found, error) { return s.Store.Search(ctx, q) })
}

// Suggest waits for its turn.
func (s sharedStore) Suggest(ctx context.Context, q query.SuggestQuery) ([]string, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) ([]string, error) { return s.Store.Suggest(ctx, q) })
}

// Analyze waits for its turn.
func (s sharedStore) Analyze(ctx context.Context, q chart.AnalyzeQuery) (*chart.Analytics, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) (*chart.Analytics, error) { return s.Store.Analyze(ctx, q) })
}

// Aggregate waits for its turn.
func (s sharedStore) Aggregate(ctx context.Context, q chart.AggregateQuery) ([]chart.AggregateRow, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) ([]chart.AggregateRow, error) { return s.Store.Aggregate(ctx, q) })
}

// SearchTraces waits for its turn.
func (s sharedStore) SearchTraces(ctx context.Context, q query.SearchQuery) (query.FoundTraces, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) (query.FoundTraces, error) { return s.Store.SearchTraces(ctx, q) })
}

// GroupTraces waits for its turn.
func (s sharedStore) GroupTraces(ctx context.Context, q query.TraceGroupQuery) (query.FoundTraceGroups, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) (query.FoundTraceGroups, error) { return s.Store.GroupTraces(ctx, q) })
}

// Trace waits for its turn.
func (s sharedStore) Trace(ctx context.Context, q query.TraceQuery) (*reqlog.Trace, error) {
	return inTurn(ctx, s.queries, q.Workspace, func() (*reqlog.Trace, error) { return s.Store.Trace(ctx, q) })
}

// Outline waits for its turn.
func (s sharedStore) Outline(ctx context.Context, q query.TraceQuery) (*reqlog.Outline, error) {
	return inTurn(ctx, s.queries, q.Workspace, func() (*reqlog.Outline, error) { return s.Store.Outline(ctx, q) })
}

// Span waits for its turn.
func (s sharedStore) Span(ctx context.Context, q reqlog.SpanQuery) (reqlog.FoundSpan, error) {
	return inTurn(ctx, s.queries, q.Workspace, func() (reqlog.FoundSpan, error) { return s.Store.Span(ctx, q) })
}

// Usages waits for its turn.
func (s sharedStore) Usages(ctx context.Context, q query.UsageQuery) ([]query.LogUsage, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) ([]query.LogUsage, error) { return s.Store.Usages(ctx, q) })
}

// ScanLogs waits for its turn.
func (s sharedStore) ScanLogs(ctx context.Context, q query.ScanQuery) (*query.Scanned, error) {
	return ask(ctx, s.queries, q.Query, func(ctx context.Context) (*query.Scanned, error) { return s.Store.ScanLogs(ctx, q) })
}

// ScanSpans waits for its turn.
func (s sharedStore) ScanSpans(ctx context.Context, q query.SpanScanQuery) (*query.ScannedSpans, error) {
	return inTurn(ctx, s.queries, q.Workspace, func() (*query.ScannedSpans, error) { return s.Store.ScanSpans(ctx, q) })
}

const (
	// manyTexts is the number of text conditions above which a query has to
	// finish within textsTime. Fewer may take as long as any query.
	manyTexts = 10
	textsTime = 4 * time.Second
)

var errManyTexts = fault.New(fault.Unavailable, "The filter has too many text conditions to check in %s: use fewer or longer texts", textsTime)

// ask runs a query in its turn, and ends it if it has many text conditions that take
// too long.
func ask[R any](ctx context.Context, queue *fair.Queue, q query.Query, query func(context.Context) (R, error)) (R, error) {
	return inTurn(ctx, queue, q.Workspace, func() (R, error) {
		if countTexts(q.Filter) <= manyTexts {
			return query(ctx)
		}
		ctx, cancel := context.WithTimeoutCause(ctx, textsTime, errManyTexts)
		defer cancel()
		result, err := query(ctx)
		if err != nil && errors.Is(context.Cause(ctx), errManyTexts) {
			err = errManyTexts
		}
		return result, err
	})
}

// countTexts returns the number of text conditions of a filter.
func countTexts(filter query.Node) (count int) {
	for c := range query.Conds(filter) {
		if c.Field.Type() == query.TypeText {
			count++
		}
	}
	return count
}

func inTurn[R any](ctx context.Context, queue *fair.Queue, workspace int64, query func() (R, error)) (result R, err error) {
	end, err := queue.Acquire(ctx, workspace)
	if err != nil {
		return result, err
	}
	defer end()
	return query()
}
