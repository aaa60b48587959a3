package query

import "github.com/promptuary/promptuary/internal/reqlog"

// TraceFacts sums up a trace. Omitted strings are "".
type TraceFacts struct {
	ID     string
	Name   string
	Status string
	Start  reqlog.Micros
	End    reqlog.Micros
	// Cost is nil if the price of no request is known, and the tokens if there is
	// no request.
	Cost                                   *float64
	TotalTokens, InputTokens, OutputTokens *int64
	Spans, Errors                          int64
	Models, Tools                          []string
	User, Session                          string
	Closed                                 bool
}

// FoundTraces is one page of a search for traces.
type FoundTraces struct {
	Items []TraceFacts
	Total int64
}

// TraceQuery requests the spans of a trace.
type TraceQuery struct {
	Workspace int64
	TraceID   string
	// Limit is the maximum number of spans. MaxBytes limits their data: the span that
	// exceeds it is the last one; 0 is no limit.
	Limit    int
	MaxBytes int64
}
