package requests

import (
	"context"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// SpanInput is what one call sends: spans, and the logs of those that are
// requests to models.
type SpanInput struct {
	// Spans are distinct by trace and span id.
	Spans []*reqlog.Span
	// Logs are those of the spans at the same places, nil for none.
	Logs []*reqlog.LogInput
	// CloseAfter says to close the traces of the spans once they are stored.
	CloseAfter bool
	// Whole says to store nothing if one of the traces is closed.
	Whole bool
	// Source is the source of the logs, SourceAPI if empty.
	Source reqlog.Source
	// Unlinked says to store a log whose prompt is not found without a link,
	// instead of leaving it out.
	Unlinked bool
}

// LogSpans stores spans and their logs in one commit. Spans of a closed trace are
// left out, as the result says.
func (s *Service) LogSpans(ctx context.Context, workspace int64, in SpanInput) (reqlog.SpanResult, error) {
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return reqlog.SpanResult{}, err
	}
	batch := &reqlog.SpanBatch{Workspace: workspace, Spans: in.Spans, Logs: make([]*reqlog.Log, len(in.Spans)), Whole: in.Whole}
	resolver := promptResolver{prompts: s.prompts, workspace: workspace}
	for i, log := range in.Logs {
		if log == nil {
			continue
		}
		link, err := resolver.link(ctx, log)
		switch missing := fault.Is(err, fault.NotFound) || fault.Is(err, fault.BadRequest); {
		case missing && !in.Unlinked:
			continue
		case err != nil && !missing:
			return reqlog.SpanResult{}, err
		}
		log.Log.SpanID, log.Log.Source = in.Spans[i].LogSpanID, in.Source
		if err := s.complete(ctx, log, workspace, link); err != nil {
			return reqlog.SpanResult{}, err
		}
		batch.Logs[i] = log.Log
	}
	for _, span := range in.Spans {
		span.Workspace = workspace
	}
	if err := s.redactSpans(ctx, workspace, in.Spans, batch.Logs); err != nil {
		return reqlog.SpanResult{}, err
	}
	if in.CloseAfter {
		batch.Close = closuresOf(workspace, in.Spans)
	}
	err := s.ingest.AppendSpans(ctx, batch)
	return batch.Result, err
}

// closuresOf returns a closure for each trace of the spans.
func closuresOf(workspace int64, spans []*reqlog.Span) []reqlog.Closure {
	var closures []reqlog.Closure
	seen := map[string]bool{}
	for _, span := range spans {
		if !seen[span.TraceID] {
			seen[span.TraceID] = true
			closures = append(closures, reqlog.Closure{Workspace: workspace, TraceID: span.TraceID})
		}
	}
	return closures
}

// maxTraceBytes limits the memory of a trace that is read.
const maxTraceBytes = 64 << 20

// Trace returns a trace, with at most so many spans. Their parents are ids of
// spans of the trace, if it has them. The fault is NotFound if the workspace has
// no span of it.
func (s *Service) Trace(ctx context.Context, workspace int64, traceID string, limit int) (*reqlog.Trace, error) {
	found, err := s.store.Trace(ctx, query.TraceQuery{Workspace: workspace, TraceID: reqlog.NormalTraceID(traceID), Limit: limit, MaxBytes: maxTraceBytes})
	if err != nil {
		return nil, err
	}
	found.LinkParents()
	return found, nil
}

// Outline returns the outline of a trace, with at most so many spans. Parents and
// the fault are those of Trace.
func (s *Service) Outline(ctx context.Context, workspace int64, traceID string, limit int) (*reqlog.Outline, error) {
	found, err := s.store.Outline(ctx, query.TraceQuery{Workspace: workspace, TraceID: reqlog.NormalTraceID(traceID), Limit: limit})
	if err != nil {
		return nil, err
	}
	found.LinkParents()
	return found, nil
}

// Span returns a span as Trace does. The fault is NotFound if the workspace does
// not have it.
func (s *Service) Span(ctx context.Context, workspace int64, traceID, spanID string) (reqlog.FoundSpan, error) {
	query := reqlog.SpanQuery{Workspace: workspace, TraceID: reqlog.NormalTraceID(traceID), SpanID: reqlog.NormalSpanID(spanID)}
	found, err := s.store.Span(ctx, query)
	if err != nil {
		return reqlog.FoundSpan{}, err
	}
	found.ParentID = reqlog.LinkedParent(found.ParentID, func(id string) bool {
		query.SpanID = id
		_, err := s.store.Span(ctx, query)
		return err == nil
	})
	return found, nil
}

// CloseTrace ends a trace: later spans are rejected. The fault is NotFound if the
// workspace has no span of it, and Conflict if it is closed.
func (s *Service) CloseTrace(ctx context.Context, workspace int64, traceID string) (reqlog.Closure, error) {
	traceID = reqlog.NormalTraceID(traceID)
	if _, err := s.store.Trace(ctx, query.TraceQuery{Workspace: workspace, TraceID: traceID, Limit: 1}); err != nil {
		return reqlog.Closure{}, err
	}
	if err := access.Require(ctx, access.RequestCreate); err != nil {
		return reqlog.Closure{}, err
	}
	batch := &reqlog.SpanBatch{Workspace: workspace, Close: []reqlog.Closure{{Workspace: workspace, TraceID: traceID}}}
	if err := s.ingest.AppendSpans(ctx, batch); err != nil {
		return reqlog.Closure{}, err
	}
	if len(batch.Result.Closures) == 0 {
		return reqlog.Closure{}, fault.Conflictf("Trace already closed")
	}
	return batch.Result.Closures[0], nil
}

// SearchTraces returns one page of the matching traces.
func (s *Service) SearchTraces(ctx context.Context, workspace int64, in query.Input, page, perPage int) (query.FoundTraces, error) {
	return s.store.SearchTraces(ctx, query.SearchQuery{
		Query: query.Query{Workspace: workspace, Filter: in.Filter, Text: in.Text}, SortBy: in.SortBy, Ascending: in.Ascending, Page: page, PerPage: perPage,
	})
}

// GroupTraces returns one page of the sessions or users of the matching traces, by
// FieldTraceSession or FieldTraceUser.
func (s *Service) GroupTraces(ctx context.Context, workspace int64, by query.Field, in query.Input, page, perPage int) (query.FoundTraceGroups, error) {
	return s.store.GroupTraces(ctx, query.TraceGroupQuery{By: by, SearchQuery: query.SearchQuery{
		Query: query.Query{Workspace: workspace, Filter: in.Filter, Text: in.Text}, SortBy: in.SortBy, Ascending: in.Ascending, Page: page, PerPage: perPage,
	}})
}

// TraceCharts computes custom charts over the matching traces or their spans, in
// order.
func (s *Service) TraceCharts(ctx context.Context, workspace int64, in query.Input, charts []chart.Chart) ([]chart.Result, error) {
	q := query.Query{Workspace: workspace, Filter: in.Filter, Text: in.Text}
	return chart.Build(ctx, charts, s.store.Aggregate, chart.Names{}, q, reqlog.At(s.clock()))
}
