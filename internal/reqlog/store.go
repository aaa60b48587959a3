package reqlog

import "context"

// Writer stores request logs and the spans of traces. Every method is safe for
// concurrent use.
//
// A log belongs to the span whose LogSpanID is its SpanID, and to that span's
// trace, whichever of the two arrives first.
//
// If the engine cannot write (disk full, read-only, server down), writing
// methods return a fault of kind Unavailable and have stored nothing; reads
// continue, and writes work again once the cause is gone.
type Writer interface {
	// Write stores the batch, all or nothing. When it returns nil the batch is
	// durable: a crash of the process or the machine does not lose it. The ids
	// of the logs are set, unique, and higher than those of any earlier batch;
	// Write is not called concurrently with itself. The store owns the logs and
	// spans afterwards.
	//
	// Spans of a closed trace are not stored. A span replaces the one with the same
	// ids. The log of a span is not stored if the workspace has a log with its
	// SpanID already. The ids of these logs, too, are set and higher than those of
	// any earlier batch.
	Write(ctx context.Context, batch Batch) error

	// Backlog is how much work earlier writes have left, as a part of what the
	// store can hold comfortably. From 1 on, large batches should wait.
	Backlog() float64

	// LastID returns the highest id of a log, or a higher one that a deleted log had,
	// 0 without logs.
	LastID() int64

	// Close writes what is still in memory and releases the engine.
	Close() error
}

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
	Get(ctx context.Context, workspace, id int64) (*Log, error)

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
	Trace(ctx context.Context, q TraceQuery) (*Trace, error)

	// Outline returns the outline of a trace, or the fault that Trace returns. It has
	// spans that can no longer be read, too. MaxBytes does not limit it.
	Outline(ctx context.Context, q TraceQuery) (*Outline, error)

	// Span returns a span, a NotFound fault, or a Damaged fault if the span was
	// stored but can no longer be read.
	Span(ctx context.Context, q SpanQuery) (FoundSpan, error)

	// Usages returns what the prices of the matching logs depend on, in the order
	// of their ids, at most q.Limit of them.
	Usages(ctx context.Context, q UsageQuery) ([]LogUsage, error)

	// ScanLogs returns a part of the matching logs with their bodies, in the order
	// of their ids. Going through all parts takes time in proportion to the logs,
	// and the memory of one part. A log that is written or changed meanwhile may be
	// missing or in either state.
	ScanLogs(ctx context.Context, q ScanQuery) (*Scanned, error)

	// ScanSpans returns a part of the spans, in the order in which they were last
	// written as far as the engine knows it, and then the ends of traces, in the
	// order of their keys. A span that is written meanwhile may be returned again.
	ScanSpans(ctx context.Context, q SpanScanQuery) (*ScannedSpans, error)
}

// Analyser computes over what a Writer stored. Every method is safe for concurrent
// use, and sees what a Reader sees.
type Analyser interface {
	// Suggest returns distinct values of a field among the matching logs, most
	// frequent first, then alphabetically.
	Suggest(ctx context.Context, q SuggestQuery) ([]string, error)

	// Analyze returns the fixed analytics payload over the matching logs.
	// Names of prompts are left empty.
	Analyze(ctx context.Context, q AnalyzeQuery) (*Analytics, error)

	// Aggregate returns one row per combination of the dimensions' values among
	// the matching logs, without logs that lack a value for a dimension. Without
	// dimensions there is exactly one row.
	Aggregate(ctx context.Context, q AggregateQuery) ([]AggregateRow, error)
}

// Remover removes what was deleted.
type Remover interface {
	// Reclaim removes everything that was deleted before it was called from the
	// files of the store, wherever it is, and returns their space to the system.
	// Reads and writes go on meanwhile. It is called by one goroutine at a time, and
	// again after an error or a crash: then it goes on with what is left. progress,
	// unless nil, is called after each file that was written again or removed.
	Reclaim(ctx context.Context, progress ReclaimProgress) (Reclaimed, error)
}

// Store is an engine: everything that request logs need of one.
type Store interface {
	Writer
	Reader
	Analyser
	Remover
}

// Batch is the content of one commit.
type Batch struct {
	Logs []*Log
	// Changes annotate logs that exist or are part of the batch. They are applied
	// in order.
	Changes []Change
	Spans   []*SpanBatch
	// Prices change prices of logs that exist. They are applied in order. The price
	// that a log was written with is kept, so that it can return to it.
	Prices []PriceChange
	// Deletions delete logs of earlier batches, or their texts.
	Deletions []Deletion
}

// Change is an annotation of one log.
type Change struct {
	Workspace, ID int64
	Annotation    Annotation
}

// Query selects logs of one workspace. It cannot select from two.
type Query struct {
	Workspace int64
	// Filter is nil if there is none.
	Filter Node
	// Text is the free text to search for, "" for none.
	Text string
}

// SearchQuery requests one page of the logs that a Query selects.
type SearchQuery struct {
	Query
	// SortBy is "" for the default order: exact matches of Text first, then by
	// start time, newest first. Nulls are last in either direction; ties are
	// broken by id in the direction of the sort.
	SortBy Field
	// SortKey is the name of the score to sort by, if SortBy is a score field.
	SortKey   string
	Ascending bool
	// Page counts from 1.
	Page    int
	PerPage int
}

// Offset returns the number of logs before the page, limited so that it cannot
// overflow.
func (q SearchQuery) Offset() int64 {
	const beyond = 1 << 62
	pages, size := int64(q.Page-1), int64(max(q.PerPage, 1))
	if pages > beyond/size {
		return beyond
	}
	return pages * size
}

// Found is one page of a search.
type Found struct {
	Items []*Log
	Total int64
	// Damaged are the ids of logs on the page that can no longer be read.
	Damaged []int64
}

// SuggestQuery requests the values of a field.
type SuggestQuery struct {
	Query
	// Field is one of the string, identifier or array fields, or a nested field
	// together with Key, which selects the values under that key.
	Field Field
	Key   string
	// Prefix restricts to values that start with it, ignoring case.
	Prefix string
	Limit  int
}
