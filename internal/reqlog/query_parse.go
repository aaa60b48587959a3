package reqlog

import (
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// maxQueryText is the length of the longest free text, in characters.
const maxQueryText = 10_000

// QueryInput is what the bodies of search and analytics have in common.
type QueryInput struct {
	// Filter may still name prompts by name; nil constrains nothing.
	Filter Node
	// Text is "" when there is nothing but white space to look for.
	Text string
	// SortBy is "" for the default order.
	SortBy    Field
	Ascending bool
	// BreakdownKey is "" when the cost breakdown covers every metadata key. Only
	// analytics have one; ParseQuery leaves it empty.
	BreakdownKey string
}

// ParseQuery reads the shared members of a body, which may be absent. It adds
// members of the wrong shape to problems; what is wrong inside the filter is
// returned as a BadRequest fault.
func ParseQuery(body jsontree.Value, problems *fault.Problems) (QueryInput, error) {
	r := shape.New([]any{"body"}, problems)
	o := shape.Object{Reader: &r, Value: body}
	in := QueryInput{
		SortBy:    shape.Choice(o, "sort_by", SortFields),
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
	in.Filter, err = ParseFilter(group, flat)
	return in, err
}
