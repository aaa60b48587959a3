package table

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// Outline returns the outline of a trace. Its total is 0 if there is no span of
// it.
func (t *Table) Outline(ctx context.Context, query query.TraceQuery) (*reqlog.Outline, error) {
	found := &reqlog.Outline{}
	return found, t.read(ctx, func(db *sql.DB) (err error) {
		if found.Total, err = countSpans(ctx, db, query); err != nil || found.Total == 0 {
			return err
		}
		if found.Spans, err = outlineSpans(ctx, db, query); err != nil {
			return fmt.Errorf("read outline of trace: %w", err)
		}
		found.Closure, err = readClosure(ctx, db, query)
		return err
	})
}

// outlineColumns are what outlineSpans reads.
const outlineColumns = "span_id, coalesce(parent_id, '') AS parent_id, name, status, start_time, end_time, coalesce(type, '') AS type, coalesce(tool_name, '') AS tool_name"

func outlineSpans(ctx context.Context, db *sql.DB, query query.TraceQuery) (spans []reqlog.SpanOutline, err error) {
	key := reqlog.TraceKey(query.Workspace, query.TraceID)
	err = spansQuery("trace_key", key, query.Limit, outlineColumns).rows(ctx, db, func(rows *sql.Rows) error {
		var s reqlog.SpanOutline
		err := rows.Scan(&s.SpanID, &s.ParentID, &s.Name, &s.Status, &s.Start, &s.End, &s.Type, &s.ToolName, &s.LogID)
		spans = append(spans, s)
		return err
	})
	return spans, err
}
