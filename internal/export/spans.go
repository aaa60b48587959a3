package export

import (
	"context"
	"encoding/json"

	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/export/format"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// spanColumn is a column of spans.
type spanColumn struct {
	format.Column
	value func(s *reqlog.Span) format.Value
}

// spanColumns are all columns of spans.
var spanColumns = []spanColumn{
	{format.Column{Name: "workspace_id", Type: format.Int}, func(s *reqlog.Span) format.Value { return format.IntOf(s.Workspace) }},
	{format.Column{Name: "trace_id", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOf(s.TraceID) }},
	{format.Column{Name: "span_id", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOf(s.SpanID) }},
	{format.Column{Name: "parent_id", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.ParentID) }},
	{format.Column{Name: "trace_state", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.TraceState) }},
	{format.Column{Name: "name", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOf(s.Name) }},
	{format.Column{Name: "kind", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOf(s.Kind) }},
	{format.Column{Name: "type", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.Index.Type) }},
	{format.Column{Name: "status", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOf(s.Status) }},
	{format.Column{Name: "status_message", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.StatusMessage) }},
	{format.Column{Name: "start_time", Type: format.Time}, func(s *reqlog.Span) format.Value { return format.TimeOf(int64(s.Start)) }},
	{format.Column{Name: "end_time", Type: format.Time}, func(s *reqlog.Span) format.Value { return format.TimeOf(int64(s.End)) }},
	{format.Column{Name: "duration_ms", Type: format.Float}, func(s *reqlog.Span) format.Value { return format.FloatOf(max(0, float64(s.End-s.Start)/1000)) }},
	{format.Column{Name: "model", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.Index.Model) }},
	{format.Column{Name: "tool_name", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.Index.ToolName) }},
	{format.Column{Name: "user_id", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.Index.User) }},
	{format.Column{Name: "session_id", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.Index.Session) }},
	{format.Column{Name: "request_span_id", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.LogSpanID) }},
	{format.Column{Name: "schema_url", Type: format.Text}, func(s *reqlog.Span) format.Value { return format.TextOrNone(s.SchemaURL) }},
	{format.Column{Name: "attributes", Type: format.JSON}, func(s *reqlog.Span) format.Value { return format.JSONOf(s.Attributes) }},
	{format.Column{Name: "resource", Type: format.JSON}, func(s *reqlog.Span) format.Value { return format.JSONOf(s.Resource) }},
	{format.Column{Name: "events", Type: format.JSON}, func(s *reqlog.Span) format.Value { return format.JSONOf(s.Events) }},
	{format.Column{Name: "links", Type: format.JSON}, func(s *reqlog.Span) format.Value { return format.JSONOf(s.Links) }},
}

// SpanColumns are the names of the columns of spans.
var SpanColumns = columnNames(spanColumns, func(c *spanColumn) string { return c.Name })

// maxTraces limits the traces that an export with a query finds, because their ids
// are in memory.
const maxTraces = 2_000_000

// Traces returns an export of the spans of the traces that match, in the order in
// which they were written. A trace whose first span arrives later is not in it.
func (s *Service) Traces(ctx context.Context, workspace int64, in query.Input, query json.RawMessage, file File) (*Export, error) {
	return s.newExport(ctx, &workspace, s.spanTable(workspace, in), file, Note{Subject: audit.Subject{Kind: audit.SubjectTraces, ID: workspace, Name: "traces"}, Query: query})
}

// TracePart is Traces for an export that was noted before.
func (s *Service) TracePart(workspace int64, in query.Input, file File) (*Export, error) {
	return s.part(workspace, s.spanTable(workspace, in), file)
}

// spanTable returns the spans of the matching traces as a table.
func (s *Service) spanTable(workspace int64, in query.Input) table {
	t := table{columns: make([]format.Column, len(spanColumns))}
	for i := range spanColumns {
		t.columns[i] = spanColumns[i].Column
	}
	t.rows = func(ctx context.Context, each func([]format.Value) error) (int64, error) {
		return s.spans(ctx, workspace, in, each)
	}
	return t
}

// spans calls each with the spans of the matching traces. Without a query, these are
// all. Otherwise it finds the traces first, and then looks for their spans among all.
func (s *Service) spans(ctx context.Context, workspace int64, in query.Input, each func([]format.Value) error) (damaged int64, err error) {
	var wanted map[int64]struct{}
	if in.Filter != nil || in.Text != "" {
		if wanted, err = s.traceKeys(ctx, workspace, in); err != nil || len(wanted) == 0 {
			return 0, err
		}
	}
	values := make([]format.Value, len(spanColumns))
	err = s.logs.ScanSpans(ctx, workspace, func(part *query.ScannedSpans) error {
		for _, lost := range part.Damaged {
			if isWanted(wanted, workspace, lost.TraceID) {
				damaged++
			}
		}
		for _, span := range part.Spans {
			if !isWanted(wanted, workspace, span.TraceID) {
				continue
			}
			for i := range spanColumns {
				values[i] = spanColumns[i].value(span)
			}
			if err := each(values); err != nil {
				return err
			}
		}
		return nil
	})
	return damaged, err
}

// isWanted reports whether a trace is one of those that match.
func isWanted(wanted map[int64]struct{}, workspace int64, traceID string) bool {
	if wanted == nil {
		return true
	}
	_, found := wanted[reqlog.TraceKey(workspace, traceID)]
	return found
}

// traceKeys returns the keys of the matching traces.
func (s *Service) traceKeys(ctx context.Context, workspace int64, in query.Input) (map[int64]struct{}, error) {
	keys := map[int64]struct{}{}
	err := s.logs.EachTrace(ctx, workspace, in, func(found query.TraceFacts) error {
		keys[reqlog.TraceKey(workspace, found.ID)] = struct{}{}
		if len(keys) > maxTraces {
			return fault.BadRequestf("More than %d traces match; narrow the query, or export all traces", maxTraces)
		}
		return nil
	})
	return keys, err
}
