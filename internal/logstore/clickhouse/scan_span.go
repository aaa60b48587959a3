package clickhouse

import (
	"context"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// ScanSpans implements query.Reader. Spans are in the order of the server's clock
// when they were written. A span that was replaced has an older row for a while,
// which is left out.
func (s *Store) ScanSpans(ctx context.Context, scan query.SpanScanQuery) (*query.ScannedSpans, error) {
	cursor, err := query.ParseSpanCursor(scan.After)
	if err != nil {
		return nil, err
	}
	var found *query.ScannedSpans
	if cursor.Closures {
		found, err = s.scanClosures(ctx, scan, cursor)
	} else {
		found, err = s.scanSpans(ctx, scan, cursor)
	}
	if err != nil {
		return nil, s.explain(fmt.Errorf("scan spans: %w", err))
	}
	return found, nil
}

// writtenSpan is one version of a span.
type writtenSpan struct{ workspace, traceKey, key, written int64 }

func (s *Store) scanSpans(ctx context.Context, scan query.SpanScanQuery, cursor query.SpanCursor) (*query.ScannedSpans, error) {
	found, bytes, full := &query.ScannedSpans{Next: query.SpanCursor{Closures: true}.String()}, int64(0), false
	var versions []writtenSpan
	err := s.read(ctx, writtenQuery(scan, cursor), func(rows *rowReader) error {
		var v writtenSpan
		var size int64
		if err := rows.scan(&v.workspace, &v.traceKey, &v.key, &v.written, &size); err != nil || full {
			return err
		}
		versions = append(versions, v)
		if bytes += size; scan.Full(len(versions), bytes) {
			full, found.Next = true, query.SpanCursor{A: v.written, B: v.key}.String()
		}
		return nil
	})
	if err != nil || len(versions) == 0 {
		return found, err
	}
	found.Spans, err = s.currentSpans(ctx, versions)
	return found, err
}

func writtenQuery(scan query.SpanScanQuery, cursor query.SpanCursor) *sqlQuery {
	q := newQuery("SELECT workspace, trace_key, key, written, size FROM span WHERE ")
	ofWorkspace(q, scan)
	q.write("(written, key) > (", q.bindInt(cursor.A), ", ", q.bindInt(cursor.B), ") ORDER BY written, key LIMIT ", q.bindInt(int64(scan.Limit)))
	return q
}

func ofWorkspace(q *sqlQuery, scan query.SpanScanQuery) {
	if !scan.All {
		q.write("workspace = ", q.bindInt(scan.Workspace), " AND ")
	}
}

// currentSpans returns those of the versions that are the current ones.
func (s *Store) currentSpans(ctx context.Context, versions []writtenSpan) ([]*reqlog.Span, error) {
	byVersion := make(map[writtenSpan]*reqlog.Span, len(versions))
	err := s.read(ctx, versionsQuery(versions), func(rows *rowReader) error {
		var v writtenSpan
		var parts [5][]byte
		if err := rows.scan(&v.workspace, &v.traceKey, &v.key, &v.written, &parts[0], &parts[1], &parts[2], &parts[3], &parts[4]); err != nil {
			return err
		}
		span, err := decodeSpan(parts[0])
		if err != nil {
			return err
		}
		span.Workspace = v.workspace
		span.Attributes, span.Resource, span.Events, span.Links = orNil(parts[1]), orNil(parts[2]), orNil(parts[3]), orNil(parts[4])
		byVersion[v] = span
		return nil
	})
	var spans []*reqlog.Span
	for _, v := range versions {
		if span := byVersion[v]; span != nil {
			spans = append(spans, span)
			delete(byVersion, v) // an insert that was repeated may have left it twice
		}
	}
	return spans, err
}

func versionsQuery(versions []writtenSpan) *sqlQuery {
	var workspaces, traces, keys []int64
	for _, v := range versions {
		workspaces, traces, keys = append(workspaces, v.workspace), append(traces, v.traceKey), append(keys, v.key)
	}
	q := newQuery("SELECT workspace, trace_key, key, written, head, attribute_object, resource_object, event_list, link_list FROM span FINAL WHERE workspace IN ")
	q.write(q.bindInts(workspaces), " AND trace_key IN ", q.bindInts(traces), " AND key IN ", q.bindInts(keys))
	return q
}

func (s *Store) scanClosures(ctx context.Context, scan query.SpanScanQuery, cursor query.SpanCursor) (*query.ScannedSpans, error) {
	found := &query.ScannedSpans{}
	err := s.read(ctx, closuresQuery(scan, cursor), func(rows *rowReader) error {
		var c reqlog.Closure
		var at int64
		err := rows.scan(&c.Workspace, &c.TraceID, &at)
		c.At = reqlog.Micros(at)
		found.Closures = append(found.Closures, c)
		return err
	})
	if n := len(found.Closures); err == nil && scan.Full(n, 0) {
		found.Next = query.SpanCursor{Closures: true, A: found.Closures[n-1].Key()}.String()
	}
	return found, err
}

func closuresQuery(scan query.SpanScanQuery, cursor query.SpanCursor) *sqlQuery {
	q := newQuery("SELECT workspace, trace_id, min(closed_at) FROM closure WHERE ")
	ofWorkspace(q, scan)
	q.write("key > ", q.bindInt(cursor.A), " GROUP BY key, workspace, trace_id ORDER BY key LIMIT ", q.bindInt(int64(scan.Limit)))
	return q
}
