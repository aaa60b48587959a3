package logstoretest

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
	"github.com/promptuary/promptuary/internal/reqlog/requests"
)

// ids returns the ids of all logs that a query selects.
func ids(s *suite, store requests.Store, q query.Query) []string {
	s.t.Helper()
	rows, err := store.Aggregate(s.ctx, chart.AggregateQuery{
		Query: q, By: []chart.Dimension{{Field: query.FieldID}}, Measures: []chart.Measure{{Metric: chart.MetricCount}},
	})
	if err != nil {
		s.t.Fatalf("%+v: %v", q, err)
	}
	found := make([]string, len(rows))
	for i, row := range rows {
		found[i] = row.Keys[0]
		if *row.Values[0] != 1 {
			s.t.Errorf("%+v: log %s was found %v times", q, row.Keys[0], *row.Values[0])
		}
	}
	slices.Sort(found)
	return found
}

// selects checks that both stores select the same logs and returns how many.
func (s *suite) selects(q query.Query) int {
	s.t.Helper()
	want := ids(s, s.want, q)
	s.equal(fmt.Sprintf("%+v", q), ids(s, s.Store, q), want, exact)
	return len(want)
}

// finds checks that both stores find the same page.
func (s *suite) finds(q query.SearchQuery) {
	s.t.Helper()
	want, err := s.want.Search(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Search(s.ctx, q)
	if err != nil {
		s.t.Fatalf("%+v: %v", q, err)
	}
	s.equal(fmt.Sprintf("%+v", q), got, want, exact)
}

func testOperators(s *suite) {
	g := newGenerator(s.want.in(Home), 1)
	for _, field := range fields {
		for _, op := range field.Type().Operators() {
			s.sub(string(field)+" "+string(op), func(s *suite) {
				found, futile := 0, op == query.OpIsNull
				// Five conditions, and more until one of them finds something.
				for i := 0; i < 5 || i < 50 && found == 0 && !futile; i++ {
					g.literal = i%5 < 3
					found += s.selects(home(g.cond(field, op), ""))
				}
				s.finds(query.SearchQuery{Query: home(g.cond(field, op), ""), Page: 1, PerPage: 3})
				if found == 0 && !futile {
					s.t.Errorf("no condition found anything: the test proves nothing")
				}
			})
		}
	}
	for _, odd := range oddities {
		for _, cond := range oddConds(odd) {
			s.selects(home(cond, ""))
		}
	}
}

// oddConds asks for an odd text wherever a log can have one.
func oddConds(odd string) []query.Node {
	texts := []string{odd}
	conds := []query.Node{
		query.Cond{Field: query.FieldMetadata, Op: query.OpKeyEquals, Key: odd, Texts: texts},
		query.Cond{Field: query.FieldMetadata, Op: query.OpIn, Key: "user_id", Texts: texts},
		query.Cond{Field: query.FieldMetadata, Op: query.OpKeyContains, Key: "odd", Texts: texts},
		query.Cond{Field: query.FieldMetadata, Op: query.OpKeyContains, Key: "odd", Texts: []string{strings.ToUpper(odd)}},
		query.Cond{Field: query.FieldOutput, Op: query.OpKeyEquals, Key: "tool_calls.function.arguments." + odd, Texts: texts},
		query.Cond{Field: query.FieldVariables, Op: query.OpIn, Key: odd, Texts: texts},
	}
	for _, field := range []query.Field{
		query.FieldEngine, query.FieldProvider, query.FieldErrorType, query.FieldTags, query.FieldToolNames,
		query.FieldMetadataKeys, query.FieldVariableKeys,
	} {
		conds = append(conds, query.Cond{Field: field, Op: query.OpIn, Texts: texts})
	}
	if odd != "" {
		conds = append(conds, query.Cond{Field: query.FieldInputText, Op: query.OpContains, Texts: texts},
			query.Cond{Field: query.FieldThinkingText, Op: query.OpEndsWith, Texts: texts})
	}
	return []query.Node{query.Group{Any: true, Nodes: conds}, conds[0], conds[3], conds[len(conds)-1]}
}

// testComplements needs no other store: together, an operator and its negation
// find every log, and none twice.
func testComplements(s *suite) {
	g := newGenerator(s.want.in(Home), 2)
	all := ids(s, s.Store, home(nil, ""))
	for _, field := range fields {
		for _, negative := range field.Type().Operators() {
			positive, ok := opposites[negative]
			if !ok {
				continue
			}
			cond := g.cond(field, negative)
			without := ids(s, s.Store, home(cond, ""))
			cond.Op = positive
			both := append(ids(s, s.Store, home(cond, "")), without...)
			slices.Sort(both)
			s.equal(fmt.Sprintf("%+v and its negation", cond), both, all, exact)
		}
	}
}

func testGroups(s *suite) {
	prod := query.Cond{Field: query.FieldTags, Op: query.OpContains, Texts: []string{"prod"}}
	failed := query.Cond{Field: query.FieldStatus, Op: query.OpIs, Texts: []string{"ERROR"}}
	refund := query.Cond{Field: query.FieldInputText, Op: query.OpNotContains, Texts: []string{"refund"}}
	either := func(nodes ...query.Node) query.Node { return query.Group{Any: true, Nodes: nodes} }
	both := func(nodes ...query.Node) query.Node { return query.Group{Nodes: nodes} }
	all := s.selects(home(nil, ""))
	for name, node := range map[string]query.Node{"and": both(), "or": either(), "nested": both(either(), both(both()))} {
		if n := s.selects(home(node, "")); n != all {
			s.t.Errorf("an empty group (%s) selects %d logs of %d", name, n, all)
		}
	}
	for _, node := range []query.Node{
		both(prod), either(prod), both(prod, failed), either(prod, failed), both(either(prod, failed), refund),
		either(both(prod, failed), both(refund, either(failed))), either(prod, either()), both(prod, either()), either(refund, refund),
	} {
		if n := s.selects(home(node, "")); n == 0 {
			s.t.Errorf("%+v selects nothing", node)
		}
		s.selects(home(node, "refund"))
	}
}

// testLargeFilters asks for as much as one filter may hold.
func testLargeFilters(s *suite) {
	deep := query.Node(query.Cond{Field: query.FieldIsJSON, Op: query.OpIsTrue})
	for i := range 20 {
		deep = query.Group{Any: i%2 == 0, Nodes: []query.Node{deep, query.Cond{Field: query.FieldTurns, Op: query.OpLt, Numbers: []float64{float64(i)}}}}
	}
	g := newGenerator(s.want.in(Home), 4)
	wide := query.Group{Any: true}
	for range 500 {
		wide.Nodes = append(wide.Nodes, g.cond(query.FieldCost, query.OpEq))
	}
	texts := query.Group{Any: true}
	for range 40 {
		texts.Nodes = append(texts.Nodes, g.cond(query.FieldInputText, query.OpNotContains))
	}
	long := query.Group{Any: true}
	for i := range 10 {
		list := make([]string, 1000)
		for j := range list {
			list[j] = fmt.Sprint("value ", i, j)
		}
		list[999] = "prod"
		long.Nodes = append(long.Nodes, query.Cond{Field: query.FieldTags, Op: query.OpIn, Texts: list})
	}
	for name, node := range map[string]query.Node{
		"deep": deep, "wide": wide, "texts": texts, "long": long,
		"a long text": query.Cond{Field: query.FieldEngine, Op: query.OpIsNot, Texts: []string{strings.Repeat("é", 100_000)}},
		"high ids":    query.Cond{Field: query.FieldPromptID, Op: query.OpNotIn, IDs: []int64{math.MaxInt64, math.MinInt64, -1, 0}},
	} {
		s.sub(name, func(s *suite) {
			if s.selects(home(node, "")) == 0 {
				s.t.Error("nothing selected: the test proves nothing")
			}
		})
	}
}

// testRandomFilters asks what nobody would think of.
func testRandomFilters(s *suite) {
	g := newGenerator(s.want.in(Home), 5)
	some := 0
	for i := range 250 {
		q := home(g.tree(3), "")
		if i%5 == 0 {
			q.Text = g.text()
		}
		if s.selects(q) > 0 {
			some++
		}
		if i%10 == 0 {
			s.finds(query.SearchQuery{Query: q, SortBy: query.FieldCost, Page: 1 + i%3, PerPage: 4})
		}
		if s.t.Failed() {
			s.t.Fatalf("random filter %d", i)
		}
	}
	if some < 100 {
		s.t.Errorf("only %d of 250 random filters select anything", some)
	}
}
