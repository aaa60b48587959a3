package reqlog

// Outline is what the tree and the timeline of a trace show. Stores read it
// without the data of the spans, which is most of a trace.
type Outline struct {
	// Spans are ordered by their start, then by id.
	Spans []SpanOutline
	// Total is the number of spans, which may be more than were asked for.
	Total int64
	// Closure is nil while the trace is open.
	Closure *Closure
}

// SpanOutline is what the tree of a trace shows of a span. Omitted strings are "".
type SpanOutline struct {
	SpanID   string
	ParentID string
	Name     string
	Status   string
	Start    Micros
	End      Micros
	// Type and ToolName are those of the span's index.
	Type     string
	ToolName string
	// LogID is the id of the first log of the span, 0 for none.
	LogID int64
}

// SpanQuery requests one span.
type SpanQuery struct {
	Workspace       int64
	TraceID, SpanID string
}

// Key is the key of the span.
func (q SpanQuery) Key() int64 { return spanKey('s', q.Workspace, q.TraceID, q.SpanID) }

// FoundSpan is a span with its first log.
type FoundSpan struct {
	// The Index of the span is left empty.
	*Span
	// LogID is 0 if there is no log.
	LogID int64
}
