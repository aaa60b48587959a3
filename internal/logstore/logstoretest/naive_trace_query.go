package logstoretest

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// matches reports whether the filter is true for the trace.
func (t *traceRow) matches(node query.Node) bool {
	switch n := node.(type) {
	case nil:
		return true
	case query.Group:
		if !n.Span {
			return joined(n, t.matches)
		}
	case query.Cond:
		if spec := query.TraceSpec(n.Field); spec.Level == query.LevelTrace {
			return valueHolds(n, spec.Type, t.values[n.Field])
		}
	}
	return slices.ContainsFunc(t.rows, func(row values) bool { return row.match(node) })
}

// match reports whether the filter is true for one span.
func (v values) match(node query.Node) bool {
	switch n := node.(type) {
	case query.Group:
		return joined(n, v.match)
	case query.Cond:
		return valueHolds(n, query.TraceSpec(n.Field).Type, v[n.Field])
	}
	panic("unknown filter node")
}

func joined(g query.Group, test func(query.Node) bool) bool {
	if g.Any {
		return len(g.Nodes) == 0 || slices.ContainsFunc(g.Nodes, test)
	}
	return !slices.ContainsFunc(g.Nodes, func(n query.Node) bool { return !test(n) })
}

// selectedTraces returns the traces that a query selects.
func (n *naive) selectedTraces(ctx context.Context, q query.Query) ([]*traceRow, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	n.mu.RLock()
	defer n.mu.RUnlock()
	text := newFreeText(q.Text)
	return slices.DeleteFunc(n.tracesOf(q.Workspace), func(t *traceRow) bool {
		return !t.matches(q.Filter) ||
			text.text != "" && !slices.ContainsFunc(t.logs, func(l *reqlog.Log) bool { return text.matches(l, n.words[l.ID]) })
	}), nil
}

// SearchTraces implements query.Reader.
func (n *naive) SearchTraces(ctx context.Context, q query.SearchQuery) (query.FoundTraces, error) {
	traces, err := n.selectedTraces(ctx, q.Query)
	if err != nil {
		return query.FoundTraces{}, err
	}
	sort := cmp.Or(q.SortBy, query.FieldTraceStart)
	slices.SortFunc(traces, func(a, b *traceRow) int { return compareTraces(a, b, sort, q.Ascending) })
	found := query.FoundTraces{Total: int64(len(traces))}
	from := min(q.Offset(), found.Total)
	for _, t := range traces[from:min(from+int64(q.PerPage), found.Total)] {
		found.Items = append(found.Items, n.factsOf(t))
	}
	return found, nil
}

// compareTraces compares by a field, nulls last, then by id.
func compareTraces(a, b *traceRow, field query.Field, ascending bool) int {
	x, y := a.values[field], b.values[field]
	if query.TraceSpec(field).Type == query.TypeNumeric && x.given != y.given {
		return compareBools(y.given, x.given)
	}
	order := cmp.Or(cmp.Compare(x.at, y.at), cmp.Compare(x.number, y.number), cmp.Compare(a.id, b.id))
	if ascending {
		return order
	}
	return -order
}

func (n *naive) factsOf(t *traceRow) query.TraceFacts {
	v := t.values
	whole := func(field query.Field) *int64 {
		if !v[field].given {
			return nil
		}
		n := int64(v[field].number)
		return &n
	}
	facts := query.TraceFacts{
		ID: t.id, Name: t.root().Name, Status: v["trace_status"].texts[0], Start: v["trace_start"].at, End: v["trace_end"].at,
		TotalTokens: whole("trace_total_tokens"), InputTokens: whole("trace_input_tokens"), OutputTokens: whole("trace_output_tokens"),
		Spans: int64(len(t.spans)), Models: v["trace_models_used"].texts, Tools: v["trace_tool_names"].texts,
		User: strings.Join(v["trace_run_by_user_id"].texts, ""), Session: strings.Join(v["trace_session_id"].texts, ""),
		Closed: n.closure(t.spans[0].Workspace, t.id) != nil,
	}
	if cost := v["trace_total_cost_usd"]; cost.given {
		facts.Cost = &cost.number
	}
	for _, s := range t.spans {
		if s.Status == reqlog.SpanError {
			facts.Errors++
		}
	}
	return facts
}

// aggregateTraces is Aggregate over traces or their spans.
func (n *naive) aggregateTraces(ctx context.Context, q chart.AggregateQuery) ([]chart.AggregateRow, error) {
	traces, err := n.selectedTraces(ctx, q.Query)
	if err != nil {
		return nil, err
	}
	groups, keys := map[string][]values{}, map[string][]string{}
	if len(q.By) == 0 {
		groups[""] = nil
	}
	for _, t := range traces {
		rows := t.rows
		if q.Level == query.LevelTrace {
			rows = []values{t.values}
		}
		for _, row := range rows {
			for _, path := range row.paths(q.By) {
				name := strings.Join(quoteAll(path), ",")
				groups[name], keys[name] = append(groups[name], row), path
			}
		}
	}
	var rows []chart.AggregateRow
	for name, group := range groups {
		row := chart.AggregateRow{Keys: keys[name]}
		for _, m := range q.Measures {
			row.Values = append(row.Values, measuredRows(m, group))
		}
		rows = append(rows, row)
	}
	return limited(rows, q.Limit), nil
}

// paths returns every combination of the row's values for the dimensions.
func (v values) paths(by []chart.Dimension) [][]string {
	all := [][]string{nil}
	for _, d := range by {
		var longer [][]string
		for _, path := range all {
			for _, key := range v.keys(d) {
				if d.Only == nil || slices.Contains(d.Only, key) {
					longer = append(longer, append(slices.Clone(path), key))
				}
			}
		}
		all = longer
	}
	return all
}

func (v values) keys(d chart.Dimension) []string {
	switch value := v[d.Field]; {
	case d.Bucket != nil:
		return []string{strconv.FormatInt(int64(bucketStart(*d.Bucket, v["trace_start"].at)), 10)}
	case d.BinWidth == 0:
		return slices.DeleteFunc(slices.Clone(value.texts), func(text string) bool { return text == "" })
	case !value.given:
		return nil
	default:
		low := math.Floor(value.number/d.BinWidth) * d.BinWidth
		return []string{strconv.FormatFloat(low+0, 'f', -1, 64)} // not the negative zero
	}
}

func measuredRows(m chart.Measure, rows []values) *float64 {
	if m.Metric == chart.MetricCount {
		return number(float64(len(rows)))
	}
	var numbers []float64
	for _, row := range rows {
		if v := row[m.Field]; v.given {
			numbers = append(numbers, v.number)
		}
	}
	return summary(m, numbers)
}
