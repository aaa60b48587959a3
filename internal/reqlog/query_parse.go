package reqlog

import (
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// maxQueryText is the maximum length of the free text, in characters.
const maxQueryText = 10_000

// QueryInput is the common part of the bodies of search and analytics.
type QueryInput struct {
	// Filter may still refer to prompts by name; nil matches everything.
	Filter Node
	// Text is "" if there is only white space.
	Text string
	// SortBy is "" for the default order.
	SortBy    Field
	Ascending bool
	// BreakdownKey is "" when the cost breakdown covers every metadata key. Only
	// analytics have one; ParseQuery leaves it empty.
	BreakdownKey string
}

// ParseQuery reads the shared members of a body, which may be absent. It adds
// members of the wrong shape to problems; an invalid filter is a BadRequest
// fault.
func ParseQuery(body jsontree.Value, problems *fault.Problems) (QueryInput, error) {
	return requestVocabulary.query(body, problems, ParseFilter)
}

// ParseTraceQuery is ParseQuery for queries about traces.
func ParseTraceQuery(body jsontree.Value, problems *fault.Problems) (QueryInput, error) {
	return traceVocabulary.query(body, problems, ParseTraceFilter)
}

// ParseTraceGroupQuery is ParseQuery for queries about groups of traces.
func ParseTraceGroupQuery(body jsontree.Value, problems *fault.Problems) (QueryInput, error) {
	return groupVocabulary.query(body, problems, ParseTraceFilter)
}

func (words *vocabulary) query(
	body jsontree.Value, problems *fault.Problems, parse func(group, flat jsontree.Value) (Node, error),
) (QueryInput, error) {
	r := shape.New([]any{"body"}, problems)
	o := shape.Object{Reader: &r, Value: body}
	in := QueryInput{
		SortBy:    shape.Choice(o, "sort_by", words.sorts),
		Ascending: shape.Choice(o, "sort_order", []string{"asc", "desc"}) == "asc",
	}
	if q := o.Text("q", 0, maxQueryText); strings.TrimSpace(q) != "" {
		in.Text = q
	}
	if o.Given("sort_order") && !o.Given("sort_by") {
		o.ReportAt("sort_order", fault.Rulef("value_error", "sort_order must be given together with sort_by"))
	}
	group := o.Member("filter_group", jsontree.Object)
	flat := o.Member("filters", jsontree.Array)
	var err error
	in.Filter, err = parse(group, flat)
	return in, err
}
