package kit

import (
	"context"
	"strings"
	"time"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/jsontree"
	"github.com/promptuary/promptuary/internal/jsontree/shape"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/rest"
)

// The names of the rate limits.
const (
	LimitSearch  = "search"
	LimitSuggest = "suggest"
)

// The paths of request logs and traces.
const (
	RequestsPath = "/api/public/v2/requests"
	TracesPath   = "/api/public/v2/traces"
)

// QueryTimeout limits queries with expensive filters, so that they cannot pile up.
const QueryTimeout = 30 * time.Second

// Bounded runs a query with QueryTimeout.
func Bounded[T any](ctx context.Context, run func(context.Context) (T, error)) (T, error) {
	limited, cancel := context.WithTimeout(ctx, QueryTimeout)
	defer cancel()
	result, err := run(limited)
	if err != nil && limited.Err() != nil && ctx.Err() == nil {
		return result, fault.Wrap(fault.Unavailable, err, "The query took longer than %s; narrow its filters", QueryTimeout)
	}
	return result, err
}

// LogQuery has the members of a body that search, analytics and charts share. The
// domain reads them and answers 400 if a filter is invalid.
type LogQuery struct {
	FilterGroup *FilterGroup `json:"filter_group" description:"Filter group that logs must match."`
	Filters     *FilterList  `json:"filters" description:"Flat list of filters, all of which must match in addition to filter_group."`
	Q           *string      `json:"q" description:"Free text to search in prompt input and model output. All words must match; words match as prefixes and tolerate typos. Exact matches come first."`
	SortBy      *SortField   `json:"sort_by" description:"Sort key."`
	SortKey     *string      `json:"sort_nested_key" minLength:"1" maxLength:"255" description:"The name of the score to sort by. Required by sort_by scores."`
	SortOrder   *string      `json:"sort_order" enum:"asc,desc" description:"Sort direction; requires sort_by."`

	input query.Input
}

// BindMembers implements rest.MemberBinder.
func (q *LogQuery) BindMembers(body jsontree.Value, problems *fault.Problems) (err error) {
	q.input, err = BindQuery(body, problems, query.Parse)
	return err
}

// Input returns the query in the form of the domain.
func (q *LogQuery) Input() query.Input { return q.input }

// BindQuery reads the members of a query from a body with parse.
func BindQuery(
	body jsontree.Value, problems *fault.Problems, parse func(jsontree.Value, *fault.Problems) (query.Input, error),
) (query.Input, error) {
	for _, name := range []string{"q", "sort_nested_key"} {
		if strings.IndexByte(body.Get(name).Str(), 0) >= 0 {
			problems.Report(fault.At(BodyLoc, name), fault.NoNUL)
		}
	}
	return parse(body, problems)
}

// LogSelection has the members of a body that select the request logs of a job, which
// keeps them as text.
type LogSelection struct {
	FilterGroup *FilterGroup `json:"filter_group" description:"Filter group that request logs must match."`
	Filters     *FilterList  `json:"filters" description:"Flat list of filters, all of which must match in addition to filter_group."`
	Q           *string      `json:"q" description:"Free text to search in prompt input and model output, as in a search."`

	text []byte
}

// BindMembers implements rest.MemberBinder. The domain checks what it reads.
func (s *LogSelection) BindMembers(body jsontree.Value, problems *fault.Problems) error {
	r := shape.New(BodyLoc, problems)
	r.NoNUL = true
	_ = shape.Object{Reader: &r, Value: body}.String("q") // only its type is checked
	s.text = []byte{'{'}
	for _, name := range []string{"filter_group", "filters", "q"} {
		value := body.Get(name)
		if !value.Given() {
			continue
		}
		if len(s.text) > 1 {
			s.text = append(s.text, ',')
		}
		s.text = append(append(jsontree.AppendQuoted(s.text, name), ':'), value.Raw()...)
	}
	s.text = append(s.text, '}')
	return nil
}

// Text returns the members as a JSON object, which is empty if they select everything.
func (s *LogSelection) Text() string { return string(s.text) }

// QueryText returns a query that is stored as text, and that selects everything if it is
// absent.
func QueryText(query rest.RawObject) string {
	if len(query) == 0 {
		return "{}"
	}
	return string(query)
}

// WriteOnly opens the operations to keys that cannot read.
func WriteOnly(ops []rest.Op) []rest.Op {
	for i := range ops {
		ops[i].WriteOnly = true
	}
	return ops
}
