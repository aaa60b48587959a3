package query

import "github.com/promptuary/promptuary/internal/reqlog"

// The sort keys of groups of traces.
const (
	GroupLastSeen    Field = "last_seen"
	GroupFirstSeen   Field = "first_seen"
	GroupCost        Field = "cost"
	GroupTotalTokens Field = "total_tokens"
	GroupTraces      Field = "trace_count"
	GroupErrors      Field = "error_count"
)

// TraceGroupSorts are the sort keys of groups of traces.
var TraceGroupSorts = []Field{GroupLastSeen, GroupFirstSeen, GroupCost, GroupTotalTokens, GroupTraces, GroupErrors}

// TraceGroupQuery requests one page of the groups of the traces that a query
// selects.
type TraceGroupQuery struct {
	// SearchQuery has one of TraceGroupSorts as its SortBy, "" for GroupLastSeen.
	SearchQuery
	// By is FieldTraceSession or FieldTraceUser.
	By Field
}

// TraceGroup sums up traces of one session or user. A log that belongs to spans of
// two traces counts for both.
type TraceGroup struct {
	// ID is that of the session or the user.
	ID string
	// FirstSeen is the first start of a trace, and LastSeen the last start or end.
	FirstSeen, LastSeen reqlog.Micros
	// Errors is the number of failed spans, and Requests that of logs.
	Traces, Spans, Requests, Errors int64
	// Cost is nil if the price of no request is known, and the tokens if there is
	// no request.
	Cost                                   *float64
	TotalTokens, InputTokens, OutputTokens *int64
	// Sessions and Users are how many different ones the traces have. User is the
	// user if there is exactly one.
	Sessions, Users int64
	User            string
}

// FoundTraceGroups is one page of groups of traces.
type FoundTraceGroups struct {
	Items []TraceGroup
	Total int64
}
