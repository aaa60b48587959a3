package query

import (
	"context"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// Reader finds and reads what a Writer stored. Every method is safe for concurrent
// use, and sees everything whose write returned before the read began. A log or span
// of another workspace is treated as nonexistent.
type Reader interface {
	// Exists returns nil when the workspace has the log, or the fault that Get
	// returns.
	Exists(ctx context.Context, workspace, id int64) error

	// Get returns the log in its current state, a NotFound fault, or a Damaged
	// fault if the log was stored but can no longer be read. The derived Index may
	// be left empty. The caller must not modify the result.
	Get(ctx context.Context, workspace, id int64) (*reqlog.Log, error)

	// Search returns one page of the matching logs and their number. A page past
	// the end is empty. Input, Output, Parameters and Index of the items are left
	// empty. Damaged logs are listed by id and count.
	Search(ctx context.Context, q SearchQuery) (Found, error)

	// SearchTraces returns one page of the matching traces and their number. The
	// filter is one of traces; the free text matches traces with a log that has it.
	// The default order is by start, newest first.
	SearchTraces(ctx context.Context, q SearchQuery) (FoundTraces, error)

	// GroupTraces returns one page of the sessions or users of the matching traces
	// and their number. The query selects traces as in SearchTraces; those without a
	// value of q.By are in no group. A group sums up its matching traces only. Nulls
	// are last in either direction; ties are broken by ID in the direction of the
	// sort. A page past the end is empty.
	GroupTraces(ctx context.Context, q TraceGroupQuery) (FoundTraceGroups, error)

	// Trace returns a trace, or a NotFound fault if the workspace has no span of
	// it.
	Trace(ctx context.Context, q TraceQuery) (*reqlog.Trace, error)

	// Outline returns the outline of a trace, or the fault that Trace returns. It has
	// spans that can no longer be read, too. MaxBytes does not limit it.
	Outline(ctx context.Context, q TraceQuery) (*reqlog.Outline, error)

	// Span returns a span, a NotFound fault, or a Damaged fault if the span was
	// stored but can no longer be read.
	Span(ctx context.Context, q reqlog.SpanQuery) (reqlog.FoundSpan, error)

	// Usages returns what the prices of the matching logs depend on, in the order
	// of their ids, at most q.Limit of them.
	Usages(ctx context.Context, q UsageQuery) ([]LogUsage, error)

	// ScanLogs returns a part of the matching logs with their bodies, in the order
	// of their ids. Going through all parts takes time in proportion to the logs,
	// and the memory of one part. A log that is written or changed in the meantime may be
	// missing or in either state.
	ScanLogs(ctx context.Context, q ScanQuery) (*Scanned, error)

	// ScanSpans returns a part of the spans, in the order in which they were last
	// written as far as the engine knows it, and then the ends of traces, in the
	// order of their keys. A span that is written in the meantime may be returned again.
	ScanSpans(ctx context.Context, q SpanScanQuery) (*ScannedSpans, error)
}
