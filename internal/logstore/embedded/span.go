package embedded

import (
	"context"
	"errors"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// searchTraces is requests.Store.SearchTraces.
func (r *reader) searchTraces(ctx context.Context, q query.SearchQuery) (query.FoundTraces, error) {
	return askTraces(ctx, r, q.Query, func(sel *table.Selection) (query.FoundTraces, error) {
		return r.table.SearchTraces(ctx, sel, q)
	})
}

// groupTraces is requests.Store.GroupTraces.
func (r *reader) groupTraces(ctx context.Context, q query.TraceGroupQuery) (query.FoundTraceGroups, error) {
	return askTraces(ctx, r, q.Query, func(sel *table.Selection) (query.FoundTraceGroups, error) {
		return r.table.GroupTraces(ctx, sel, q)
	})
}

// askTraces resolves the free text of a query about traces and asks the table.
// Texts of spans are columns of the table.
func askTraces[T any](
	ctx context.Context, r *reader, q query.Query, question func(*table.Selection) (T, error),
) (answer T, err error) {
	sel, err := r.selection(ctx, query.Query{Workspace: q.Workspace, Text: q.Text})
	if err != nil {
		return answer, err
	}
	sel.Query.Filter = q.Filter
	answer, err = question(sel)
	return answer, r.alarms.tableError(err)
}

// trace is requests.Store.Trace. The table has the places of the spans in the
// journal.
func (r *reader) trace(ctx context.Context, query query.TraceQuery) (*reqlog.Trace, error) {
	if _, err := r.queue.await(ctx); err != nil {
		return nil, err
	}
	found, err := r.table.Trace(ctx, query)
	if err != nil {
		return nil, r.alarms.tableError(err)
	}
	if found.Total == 0 {
		return nil, fault.NotFoundf("Trace not found")
	}
	return r.readTrace(query, found)
}

// outline is requests.Store.Outline. The table has all of it.
func (r *reader) outline(ctx context.Context, query query.TraceQuery) (*reqlog.Outline, error) {
	if _, err := r.queue.await(ctx); err != nil {
		return nil, err
	}
	found, err := r.table.Outline(ctx, query)
	if err != nil {
		return nil, r.alarms.tableError(err)
	}
	if found.Total == 0 {
		return nil, fault.NotFoundf("Trace not found")
	}
	return found, nil
}

// span is requests.Store.Span. The table has the place of the span in the
// journal.
func (r *reader) span(ctx context.Context, query reqlog.SpanQuery) (reqlog.FoundSpan, error) {
	if _, err := r.queue.await(ctx); err != nil {
		return reqlog.FoundSpan{}, err
	}
	found, err := r.table.Span(ctx, query)
	if err != nil {
		return reqlog.FoundSpan{}, r.alarms.tableError(err)
	}
	if found.Key == 0 {
		return reqlog.FoundSpan{}, fault.NotFoundf("Span not found")
	}
	block, err := r.journal.Read(found.Place.Block)
	if errors.Is(err, journal.ErrDamaged) {
		return reqlog.FoundSpan{}, fault.Wrap(fault.Damaged, err, "The span cannot be read: its storage is damaged")
	}
	if err != nil {
		return reqlog.FoundSpan{}, fmt.Errorf("read a span: %w", err)
	}
	span, err := spanIn(block, found, query.Workspace)
	return reqlog.FoundSpan{Span: span, LogID: found.LogID}, err
}

// spanIn decodes the record of a span from its block.
func spanIn(block journal.Block, at table.FoundSpan, workspace int64) (*reqlog.Span, error) {
	r, err := spanRecord(block, at.Place, at.Key, workspace)
	if err != nil {
		return nil, err
	}
	span, err := decodeSpan(r)
	if err == nil {
		span.Index = reqlog.SpanIndex{}
	}
	return span, err
}

// spanRecord returns the record of a span in its block.
func spanRecord(block journal.Block, at journal.Place, key, workspace int64) (record, error) {
	if at.Slot >= int64(len(block.Records)) {
		return nil, fmt.Errorf("%w: block %d has no record %d", errRecord, at.Block, at.Slot)
	}
	r := record(block.Records[at.Slot])
	if !r.valid() || r.kind() != recordSpan || r.id() != key || r.workspace() != workspace {
		return nil, fmt.Errorf("%w: block %d, record %d is another span", errRecord, at.Block, at.Slot)
	}
	return r, nil
}

// addTraces sets the traces of logs that have a span id.
func (r *reader) addTraces(ctx context.Context, logs []*reqlog.Log) error {
	var keys []int64
	for _, l := range logs {
		if l.SpanID != "" {
			keys = append(keys, reqlog.LogKey(l.Workspace, l.SpanID))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	traces, err := r.table.TracesOf(ctx, keys)
	if err != nil {
		return r.alarms.tableError(err)
	}
	for _, l := range logs {
		l.TraceID = traces[reqlog.LogKey(l.Workspace, l.SpanID)]
	}
	return nil
}
