package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// spanInsert is the statement that inserts spans.
var spanInsert = insertInto("span", []string{
	"workspace", "key", "trace_key", "log_key", "trace_id", "span_id", "parent_id", "name", "kind", "status", "start_time", "end_time",
	"type", "tool_name", "model", "user_id", "session_id", "workflow", "workflow_version", "output_text", "exception_text", "attributes", "resource",
	"head", "attribute_object", "resource_object", "event_list", "link_list", "size",
})

// insertSpans inserts the spans. Of several with the same ids the last counts.
func (c *commit) insertSpans(ctx context.Context, spans []*reqlog.Span) error {
	last := make(map[int64]int, len(spans))
	for i, s := range spans {
		last[s.Key()] = i
	}
	var b block
	for i, s := range spans {
		if last[s.Key()] != i {
			continue
		}
		if err := b.span(s); err != nil {
			return err
		}
	}
	return c.insert(ctx, "spans", spanInsert, &b)
}

// span writes the row of a span.
func (b *block) span(s *reqlog.Span) error {
	head, err := encodeSpan(s)
	if err != nil {
		return err
	}
	for _, key := range []int64{s.Workspace, s.Key(), reqlog.TraceKey(s.Workspace, s.TraceID), reqlog.LogKey(s.Workspace, s.LogSpanID)} {
		b.int(key)
	}
	b.text(s.TraceID)
	b.text(s.SpanID)
	b.textOrNull(s.ParentID)
	for _, text := range []string{s.Name, s.Kind, s.Status} {
		b.text(text)
	}
	b.int(int64(s.Start))
	b.int(int64(s.End))
	for _, text := range []string{s.Index.Type, s.Index.ToolName, s.Index.Model, s.Index.User, s.Index.Session} {
		b.textOrNull(text)
	}
	b.idOrNull(s.Index.Workflow)
	b.idOrNull(s.Index.WorkflowVersion)
	b.textOrNull(s.Index.OutputText)
	b.textOrNull(s.Index.ExceptionText)
	b.texts(attributeTexts(s.Attributes))
	b.texts(attributeTexts(s.Resource))
	for _, part := range [][]byte{head, s.Attributes, s.Resource, s.Events, s.Links} {
		b.raw(part)
	}
	b.int(s.DataSize())
	b.rows++
	return nil
}

func (c *commit) insertClosures(ctx context.Context, closures []reqlog.Closure) error {
	var b block
	for i := range closures {
		closure := &closures[i]
		b.int(closure.Workspace)
		b.int(closure.Key())
		b.int(reqlog.TraceKey(closure.Workspace, closure.TraceID))
		b.text(closure.TraceID)
		b.int(int64(closure.At))
		b.rows++
	}
	return c.insert(ctx, "ends of traces", insertInto("closure", []string{"workspace", "key", "trace_key", "trace_id", "closed_at"}), &b)
}

// Trace implements query.Reader.
func (s *Store) Trace(ctx context.Context, query query.TraceQuery) (*reqlog.Trace, error) {
	total, err := s.spanCount(ctx, query)
	if err != nil {
		return nil, err
	}
	trace := &reqlog.Trace{Total: total}
	err = s.read(ctx, traceQuery(query), func(rows *rowReader) error {
		span, err := scanSpan(rows, query.Workspace)
		trace.Spans = append(trace.Spans, span)
		return err
	})
	if err == nil {
		trace.LogIDs, err = s.logIDs(ctx, query.Workspace, logKeys(query.Workspace, trace.Spans))
	}
	if err == nil {
		trace.Closure, err = s.closure(ctx, query)
	}
	if err != nil {
		return nil, s.explain(fmt.Errorf("read trace: %w", err))
	}
	return trace, nil
}

// spanCount returns the number of spans of a trace, or a fault if there are none.
func (s *Store) spanCount(ctx context.Context, query query.TraceQuery) (total int64, err error) {
	if _, err := s.readRow(ctx, spanCountQuery(query), &total); err != nil {
		return 0, s.explain(fmt.Errorf("count spans: %w", err))
	}
	if total == 0 {
		return 0, fault.NotFoundf("Trace not found")
	}
	return total, nil
}

func spanCountQuery(wanted query.TraceQuery) *sqlQuery {
	q := newQuery("SELECT count() FROM span FINAL WHERE ")
	ofTrace(q, wanted)
	return q
}

func ofTrace(q *sqlQuery, wanted query.TraceQuery) {
	q.write("workspace = ", q.bindInt(wanted.Workspace), " AND trace_key = ", q.bindInt(reqlog.TraceKey(wanted.Workspace, wanted.TraceID)))
}

const (
	// idMask turns the key of a span into its id.
	idMask = "9007199254740991"
	// spanOrder is the order of the spans of a trace.
	spanOrder = "start_time, bitAnd(key, " + idMask + ")"
)

// spanParts are what scanSpan reads.
const spanParts = "head, attribute_object, resource_object, event_list, link_list"

// traceQuery reads the spans of a trace.
func traceQuery(wanted query.TraceQuery) *sqlQuery {
	q := newQuery("SELECT " + spanParts + " FROM span FINAL WHERE ")
	ofTrace(q, wanted)
	if wanted.MaxBytes > 0 {
		q.write(" AND key IN (SELECT key FROM (SELECT key, size, sum(size) OVER (ORDER BY ", spanOrder,
			" ROWS UNBOUNDED PRECEDING) AS total FROM span FINAL WHERE ")
		ofTrace(q, wanted)
		q.write(") WHERE total - size <= ", q.bindInt(wanted.MaxBytes), ")")
	}
	q.write(" ORDER BY ", spanOrder, " LIMIT ", q.bindInt(int64(wanted.Limit)))
	return q
}

func scanSpan(rows *rowReader, workspace int64) (*reqlog.Span, error) {
	var parts [5][]byte
	if err := rows.scan(&parts[0], &parts[1], &parts[2], &parts[3], &parts[4]); err != nil {
		return nil, err
	}
	span, err := decodeSpan(parts[0])
	if err != nil {
		return nil, err
	}
	span.Workspace, span.Index = workspace, reqlog.SpanIndex{}
	span.Attributes, span.Resource, span.Events, span.Links = orNil(parts[1]), orNil(parts[2]), orNil(parts[3]), orNil(parts[4])
	return span, nil
}

func logKeys(workspace int64, spans []*reqlog.Span) []int64 {
	keys := make([]int64, len(spans))
	for i, span := range spans {
		keys[i] = reqlog.LogKey(workspace, span.LogSpanID)
	}
	return keys
}

// logIDs returns the first logs of spans by their log keys, 0 for none.
func (s *Store) logIDs(ctx context.Context, workspace int64, keys []int64) ([]int64, error) {
	q := newQuery()
	q.write("SELECT span_key, min(id) FROM log WHERE workspace = ", q.bindInt(workspace), " AND span_key IN ", q.bindInts(keys), " GROUP BY span_key")
	byKey := make(map[int64]int64, len(keys))
	err := s.read(ctx, q, func(rows *rowReader) error {
		var key, id int64
		err := rows.scan(&key, &id)
		byKey[key] = id
		return err
	})
	ids := make([]int64, len(keys))
	for i, key := range keys {
		ids[i] = byKey[key]
	}
	return ids, err
}

// closure returns the end of a trace, nil while it is open.
func (s *Store) closure(ctx context.Context, query query.TraceQuery) (*reqlog.Closure, error) {
	closure := reqlog.Closure{Workspace: query.Workspace, TraceID: query.TraceID}
	q := newQuery("SELECT closed_at FROM closure WHERE key = ")
	q.write(q.bindInt(closure.Key()), " ORDER BY closed_at LIMIT 1")
	var at int64
	found, err := s.readRow(ctx, q, &at)
	if err != nil || !found {
		return nil, err
	}
	closure.At = reqlog.Micros(at)
	return &closure, nil
}
