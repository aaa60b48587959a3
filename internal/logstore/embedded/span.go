package embedded

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/logstore/embedded/journal"
	"github.com/promptuary/promptuary/internal/logstore/embedded/table"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// admission is what of some span batches is stored.
type admission struct {
	spans    []*reqlog.Span
	logs     []*reqlog.Log
	closures []reqlog.Closure
	results  []reqlog.SpanResult

	// closed and logIDs are what was stored before, or is by an earlier batch, by
	// closure key and log key.
	closed map[int64]bool
	logIDs map[int64]int64
}

// admitSpans decides what to store of the batches.
func (s *Store) admitSpans(ctx context.Context, batches []*reqlog.SpanBatch) (*admission, error) {
	a := &admission{closed: map[int64]bool{}, logIDs: map[int64]int64{}}
	if len(batches) == 0 {
		return a, nil
	}
	if err := s.lookUp(ctx, a, batches); err != nil {
		return nil, err
	}
	for _, b := range batches {
		a.results = append(a.results, a.admit(b))
	}
	return a, nil
}

// lookUp asks the table for closed traces and logs of the batches that may be
// stored.
func (s *Store) lookUp(ctx context.Context, a *admission, batches []*reqlog.SpanBatch) error {
	var closures, logs []int64
	s.mu.Lock()
	for _, b := range batches {
		for _, id := range traceIDs(b) {
			if key := (&reqlog.Closure{Workspace: b.Workspace, TraceID: id}).Key(); s.seen.has(key) {
				closures = append(closures, key)
			}
		}
		for _, l := range b.Logs {
			if l == nil {
				continue
			}
			if key := reqlog.LogKey(b.Workspace, l.SpanID); s.seen.has(key) {
				logs = append(logs, key)
			}
		}
	}
	s.mu.Unlock()
	if len(closures)+len(logs) == 0 {
		return nil
	}
	if _, err := s.catchUp(ctx); err != nil {
		return err
	}
	return s.tableError(s.table.LookUp(ctx, closures, logs, a.closed, a.logIDs))
}

// traceIDs returns the distinct traces of a batch, in the order of their first
// occurrence.
func traceIDs(b *reqlog.SpanBatch) []string {
	var ids []string
	seen := map[string]bool{}
	add := func(id string) {
		if !seen[id] {
			seen[id] = true
			ids = append(ids, id)
		}
	}
	for _, span := range b.Spans {
		add(span.TraceID)
	}
	for _, c := range b.Close {
		add(c.TraceID)
	}
	return ids
}

// admit decides what to store of a batch.
func (a *admission) admit(b *reqlog.SpanBatch) reqlog.SpanResult {
	result := reqlog.SpanResult{LogIDs: make([]int64, len(b.Spans))}
	closed := map[string]bool{}
	for _, id := range traceIDs(b) {
		if a.closed[(&reqlog.Closure{Workspace: b.Workspace, TraceID: id}).Key()] {
			closed[id] = true
			result.Closed = append(result.Closed, id)
		}
	}
	if b.Whole && len(closed) > 0 {
		return result
	}
	for i, span := range b.Spans {
		if !closed[span.TraceID] {
			a.spans = append(a.spans, span)
			result.LogIDs[i] = a.admitLog(b, i)
		}
	}
	for _, c := range b.Close {
		if !closed[c.TraceID] {
			a.closed[c.Key()] = true
			a.closures = append(a.closures, c)
			result.Closures = append(result.Closures, c)
		}
	}
	return result
}

// admitLog stores the log of a span, unless there is one already, and returns
// its id.
func (a *admission) admitLog(b *reqlog.SpanBatch, i int) int64 {
	l := b.Logs[i]
	if l == nil {
		return 0
	}
	key := reqlog.LogKey(b.Workspace, l.SpanID)
	if id, ok := a.logIDs[key]; ok {
		return id
	}
	a.logIDs[key] = l.ID
	a.logs = append(a.logs, l)
	return l.ID
}

// report tells the callers what became of their batches.
func (a *admission) report(batches []*reqlog.SpanBatch) {
	for i, b := range batches {
		b.Result = a.results[i]
	}
}

// SearchTraces implements reqlog.Store.
func (s *Store) SearchTraces(ctx context.Context, query reqlog.SearchQuery) (reqlog.FoundTraces, error) {
	return askTraces(ctx, s, query.Query, func(sel *table.Selection) (reqlog.FoundTraces, error) {
		return s.table.SearchTraces(ctx, sel, query)
	})
}

// GroupTraces implements reqlog.Store.
func (s *Store) GroupTraces(ctx context.Context, query reqlog.TraceGroupQuery) (reqlog.FoundTraceGroups, error) {
	return askTraces(ctx, s, query.Query, func(sel *table.Selection) (reqlog.FoundTraceGroups, error) {
		return s.table.GroupTraces(ctx, sel, query)
	})
}

// askTraces resolves the free text of a query about traces and asks the table.
// Texts of spans are columns of the table.
func askTraces[T any](ctx context.Context, s *Store, query reqlog.Query, question func(*table.Selection) (T, error)) (answer T, err error) {
	sel, err := s.selection(ctx, reqlog.Query{Workspace: query.Workspace, Text: query.Text})
	if err != nil {
		return answer, err
	}
	sel.Query.Filter = query.Filter
	answer, err = question(sel)
	return answer, s.tableError(err)
}

// Trace implements reqlog.Store. The table has the places of the spans in the
// journal.
func (s *Store) Trace(ctx context.Context, query reqlog.TraceQuery) (*reqlog.Trace, error) {
	if _, err := s.catchUp(ctx); err != nil {
		return nil, err
	}
	found, err := s.table.Trace(ctx, query)
	if err != nil {
		return nil, s.tableError(err)
	}
	if found.Total == 0 {
		return nil, fault.NotFoundf("Trace not found")
	}
	return s.readTrace(query, found)
}

// spanIn decodes the record of a span from its block.
func spanIn(block journal.Block, at table.FoundSpan, workspace int64) (*reqlog.Span, error) {
	if at.Place.Slot >= int64(len(block.Records)) {
		return nil, fmt.Errorf("%w: block %d has no record %d", errRecord, at.Place.Block, at.Place.Slot)
	}
	r := record(block.Records[at.Place.Slot])
	if !r.valid() || r.kind() != recordSpan || r.id() != at.Key || r.workspace() != workspace {
		return nil, fmt.Errorf("%w: block %d, record %d is another span", errRecord, at.Place.Block, at.Place.Slot)
	}
	span, err := decodeSpan(r)
	if err == nil {
		span.Index = reqlog.SpanIndex{}
	}
	return span, err
}

// addTraces sets the traces of logs that have a span id.
func (s *Store) addTraces(ctx context.Context, logs []*reqlog.Log) error {
	var keys []int64
	for _, l := range logs {
		if l.SpanID != "" {
			keys = append(keys, reqlog.LogKey(l.Workspace, l.SpanID))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	traces, err := s.table.TracesOf(ctx, keys)
	if err != nil {
		return s.tableError(err)
	}
	for _, l := range logs {
		l.TraceID = traces[reqlog.LogKey(l.Workspace, l.SpanID)]
	}
	return nil
}
