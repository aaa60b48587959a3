package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Outline implements query.Reader.
func (s *Store) Outline(ctx context.Context, query query.TraceQuery) (*reqlog.Outline, error) {
	total, err := s.spanCount(ctx, query)
	if err != nil {
		return nil, err
	}
	outline := &reqlog.Outline{Total: total}
	if outline.Spans, err = s.outlineSpans(ctx, query); err == nil {
		outline.Closure, err = s.closure(ctx, query)
	}
	if err != nil {
		return nil, s.explain(fmt.Errorf("read outline of trace: %w", err))
	}
	return outline, nil
}

func (s *Store) outlineSpans(ctx context.Context, query query.TraceQuery) ([]reqlog.SpanOutline, error) {
	var spans []reqlog.SpanOutline
	var keys []int64
	err := s.read(ctx, outlineQuery(query), func(rows *rowReader) error {
		var span reqlog.SpanOutline
		var start, end, key int64
		err := rows.scan(&span.SpanID, &span.ParentID, &span.Name, &span.Status, &start, &end, &span.Type, &span.ToolName, &key)
		span.Start, span.End = reqlog.Micros(start), reqlog.Micros(end)
		spans, keys = append(spans, span), append(keys, key)
		return err
	})
	if err != nil {
		return nil, err
	}
	logs, err := s.logIDs(ctx, query.Workspace, keys)
	for i := range spans {
		spans[i].LogID = logs[i]
	}
	return spans, err
}

func outlineQuery(wanted query.TraceQuery) *sqlQuery {
	q := newQuery("SELECT span_id, parent_id, name, status, start_time, end_time, type, tool_name, log_key FROM span FINAL WHERE ")
	ofTrace(q, wanted)
	q.write(" ORDER BY ", spanOrder, " LIMIT ", q.bindInt(int64(wanted.Limit)))
	return q
}

// Span implements query.Reader.
func (s *Store) Span(ctx context.Context, query reqlog.SpanQuery) (reqlog.FoundSpan, error) {
	var found reqlog.FoundSpan
	err := s.read(ctx, spanQuery(query), func(rows *rowReader) (err error) {
		found.Span, err = scanSpan(rows, query.Workspace)
		return err
	})
	if err == nil && found.Span == nil {
		return reqlog.FoundSpan{}, fault.NotFoundf("Span not found")
	}
	if err == nil {
		var logs []int64
		logs, err = s.logIDs(ctx, query.Workspace, logKeys(query.Workspace, []*reqlog.Span{found.Span}))
		found.LogID = logs[0]
	}
	if err != nil {
		return reqlog.FoundSpan{}, s.explain(fmt.Errorf("read span: %w", err))
	}
	return found, nil
}

func spanQuery(wanted reqlog.SpanQuery) *sqlQuery {
	q := newQuery("SELECT " + spanParts + " FROM span FINAL WHERE ")
	ofTrace(q, query.TraceQuery{Workspace: wanted.Workspace, TraceID: wanted.TraceID})
	q.write(" AND key = ", q.bindInt(wanted.Key()))
	return q
}
