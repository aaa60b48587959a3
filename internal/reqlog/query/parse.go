package query

import (
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
)

// The maximum lengths of the free text and of the name of a score, in characters.
const (
	maxQueryText = 10_000
	maxSortKey   = 255
)

// Input is the common part of the bodies of search and analytics.
type Input struct {
	// Filter may still refer to prompts by name; nil matches everything.
	Filter Node
	// Text is "" if there is only white space.
	Text string
	// SortBy is "" for the default order.
	SortBy Field
	// SortKey is the name of the score to sort by, if SortBy is a score field.
	SortKey   string
	Ascending bool
	// BreakdownKey is "" when the cost breakdown covers every metadata key. Only
	// analytics have one; Parse leaves it empty.
	BreakdownKey string
}

// Parse reads the shared members of a body, which may be absent. It adds
// members of the wrong shape to problems; an invalid filter is a BadRequest
// fault.
func Parse(body jsontree.Value, problems *fault.Problems) (Input, error) {
	return requestVocabulary.query(body, problems, ParseFilter)
}

// maxStoredQuery is the maximum size of a query that is stored, in bytes.
const maxStoredQuery = 100_000

// Read reads a query that is stored as the text of a JSON object: filter_group,
// filters and q, all of which may be absent. The fault is BadRequest or Invalid if it
// is not valid.
func Read(text string) (Input, error) { return readQuery(text, Parse) }

// ReadTraces is Read for queries about traces.
func ReadTraces(text string) (Input, error) { return readQuery(text, ParseTraces) }

func readQuery(text string, parse func(jsontree.Value, *fault.Problems) (Input, error)) (Input, error) {
	if len(text) > maxStoredQuery {
		return Input{}, fault.New(fault.Invalid, "The filters are larger than %d bytes", maxStoredQuery)
	}
	body, err := jsontree.Parse([]byte(text))
	if err != nil {
		return Input{}, fault.BadRequestf("The query is not valid JSON")
	}
	var problems fault.Problems
	query, err := parse(body, &problems)
	if invalid := problems.Err(); invalid != nil {
		return query, invalid
	}
	return query, err
}

// ParseTraces is Parse for queries about traces.
func ParseTraces(body jsontree.Value, problems *fault.Problems) (Input, error) {
	return traceVocabulary.query(body, problems, ParseTraceFilter)
}

// ParseTraceGroups is Parse for queries about groups of traces.
func ParseTraceGroups(body jsontree.Value, problems *fault.Problems) (Input, error) {
	return groupVocabulary.query(body, problems, ParseTraceFilter)
}

func (words *vocabulary) query(
	body jsontree.Value, problems *fault.Problems, parse func(group, flat jsontree.Value) (Node, error),
) (Input, error) {
	r := shape.New(fault.In(), problems)
	o := shape.Object{Reader: &r, Value: body}
	var in Input
	if q := o.Text("q", 0, maxQueryText); strings.TrimSpace(q) != "" {
		in.Text = q
	}
	in.SortBy = shape.Choice(o, "sort_by", words.sorts)
	in.Ascending = shape.Choice(o, "sort_order", []string{"asc", "desc"}) == "asc"
	if o.Given("sort_order") && !o.Given("sort_by") {
		o.ReportAt("sort_order", fault.Rulef("value_error", "sort_order must be given together with sort_by"))
	}
	if slices.Contains(words.sorts, FieldScores) {
		in.SortKey = sortKey(o, in.SortBy)
	}
	group := o.Member("filter_group", jsontree.Object)
	flat := o.Member("filters", jsontree.Array)
	var err error
	in.Filter, err = parse(group, flat)
	return in, err
}

// sortKey reads the name of the score to sort by.
func sortKey(o shape.Object, by Field) string {
	key := o.Text("sort_nested_key", 1, maxSortKey)
	switch hasKeys := by.Type().HasKeys(); {
	case hasKeys && key == "" && !o.Given("sort_nested_key"):
		o.ReportAt("sort_nested_key", fault.Rulef("missing", "sort_by '%s' needs sort_nested_key", by))
	case !hasKeys && key != "":
		o.ReportAt("sort_nested_key", fault.Rulef("value_error", "sort_nested_key is for sort_by '%s' only", FieldScores))
	}
	return key
}
