package logstoretest

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// writeSpans stores the batches one after the other.
func (n *naive) writeSpans(batches []*reqlog.SpanBatch) {
	if len(batches) == 0 {
		return
	}
	for _, b := range batches {
		result := reqlog.SpanResult{LogIDs: make([]int64, len(b.Spans))}
		closed := func(id string) bool { return slices.Contains(result.Closed, id) }
		note := func(id string) {
			if n.closure(b.Workspace, id) != nil && !closed(id) {
				result.Closed = append(result.Closed, id)
			}
		}
		for _, span := range b.Spans {
			note(span.TraceID)
		}
		for _, c := range b.Close {
			note(c.TraceID)
		}
		if b.Whole && len(result.Closed) > 0 {
			b.Result = result
			continue
		}
		for i, span := range b.Spans {
			if closed(span.TraceID) {
				continue
			}
			n.setSpan(span)
			if b.Logs[i] != nil {
				result.LogIDs[i] = n.logOnce(b.Logs[i])
			}
		}
		for _, c := range b.Close {
			if !closed(c.TraceID) {
				n.closures = append(n.closures, c)
				result.Closures = append(result.Closures, c)
			}
		}
		b.Result = result
	}
	slices.SortFunc(n.logs, func(a, b *reqlog.Log) int { return cmp.Compare(a.ID, b.ID) })
	n.findTraces()
}

// findTraces finds the trace of each span that a log can refer to.
func (n *naive) findTraces() {
	n.traces = map[spanRef]string{}
	for _, span := range n.spans {
		ref := spanRef{span.Workspace, span.LogSpanID}
		if id, ok := n.traces[ref]; !ok || span.TraceID < id {
			n.traces[ref] = span.TraceID
		}
	}
}

// spanRef is how a log refers to its span.
type spanRef struct {
	workspace int64
	id        string
}

func (n *naive) closure(workspace int64, traceID string) *reqlog.Closure {
	for i := range n.closures {
		if c := &n.closures[i]; c.Workspace == workspace && c.TraceID == traceID {
			return c
		}
	}
	return nil
}

func (n *naive) setSpan(span *reqlog.Span) {
	n.spans = slices.DeleteFunc(n.spans, func(old *reqlog.Span) bool {
		return old.Workspace == span.Workspace && old.TraceID == span.TraceID && old.SpanID == span.SpanID
	})
	own := *span
	n.spans = append(n.spans, &own)
}

// logOnce stores a log unless there is one with its span id, and returns the id.
func (n *naive) logOnce(l *reqlog.Log) int64 {
	for _, old := range n.logs {
		if old.Workspace == l.Workspace && old.SpanID == l.SpanID {
			return old.ID
		}
	}
	n.addLog(l)
	return l.ID
}

// withTrace returns the log with its trace.
func (n *naive) withTrace(l *reqlog.Log) *reqlog.Log {
	trace := n.traces[spanRef{l.Workspace, l.SpanID}]
	if trace == "" || l.SpanID == "" {
		return l
	}
	c := *l
	c.TraceID = trace
	return &c
}

// Trace implements query.Reader.
func (n *naive) Trace(ctx context.Context, q query.TraceQuery) (*reqlog.Trace, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	trace := &reqlog.Trace{Closure: n.closure(q.Workspace, q.TraceID)}
	for _, span := range n.spans {
		if span.Workspace == q.Workspace && span.TraceID == q.TraceID {
			own := *span
			own.Index = reqlog.SpanIndex{}
			trace.Spans = append(trace.Spans, &own)
		}
	}
	if len(trace.Spans) == 0 {
		return nil, fault.NotFoundf("Trace not found")
	}
	slices.SortFunc(trace.Spans, func(a, b *reqlog.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.ID(), b.ID()))
	})
	trace.Total = int64(len(trace.Spans))
	trace.Spans = trace.Spans[:min(len(trace.Spans), q.Limit)]
	for i, size := 0, int64(0); i < len(trace.Spans) && q.MaxBytes > 0; i++ {
		if size += trace.Spans[i].DataSize(); size > q.MaxBytes {
			trace.Spans = trace.Spans[:i+1]
		}
	}
	for _, span := range trace.Spans {
		trace.LogIDs = append(trace.LogIDs, n.firstLog(span))
	}
	return trace, nil
}

// Outline implements query.Reader.
func (n *naive) Outline(ctx context.Context, q query.TraceQuery) (*reqlog.Outline, error) {
	q.MaxBytes = 0
	trace, err := n.Trace(ctx, q)
	if err != nil {
		return nil, err
	}
	outline := &reqlog.Outline{Total: trace.Total, Closure: trace.Closure}
	n.mu.RLock()
	defer n.mu.RUnlock()
	for i, span := range trace.Spans {
		x := n.index(span)
		outline.Spans = append(outline.Spans, reqlog.SpanOutline{
			SpanID: span.SpanID, ParentID: span.ParentID, Name: span.Name, Status: span.Status, Start: span.Start, End: span.End,
			Type: x.Type, ToolName: x.ToolName, LogID: trace.LogIDs[i],
		})
	}
	return outline, nil
}

// index returns the index of a stored span.
func (n *naive) index(span *reqlog.Span) reqlog.SpanIndex {
	for _, own := range n.spans {
		if own.Key() == span.Key() {
			return own.Index
		}
	}
	return reqlog.SpanIndex{}
}

// Span implements query.Reader.
func (n *naive) Span(ctx context.Context, q reqlog.SpanQuery) (reqlog.FoundSpan, error) {
	trace, err := n.Trace(ctx, query.TraceQuery{Workspace: q.Workspace, TraceID: q.TraceID, Limit: math.MaxInt})
	if err != nil && !fault.Is(err, fault.NotFound) {
		return reqlog.FoundSpan{}, err
	}
	if err == nil {
		for i, span := range trace.Spans {
			if span.SpanID == q.SpanID {
				return reqlog.FoundSpan{Span: span, LogID: trace.LogIDs[i]}, nil
			}
		}
	}
	return reqlog.FoundSpan{}, fault.NotFoundf("Span not found")
}

// firstLog returns the lowest id of the logs of a span, 0 if there are none.
func (n *naive) firstLog(span *reqlog.Span) int64 {
	for _, l := range n.logs {
		if l.Workspace == span.Workspace && l.SpanID == span.LogSpanID {
			return l.ID
		}
	}
	return 0
}
