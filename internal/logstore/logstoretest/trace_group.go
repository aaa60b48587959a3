package logstoretest

import (
	"fmt"
	"math"

	"github.com/promptuary/promptuary/internal/reqlog/query"
)

var groupFields = []query.Field{query.FieldTraceSession, query.FieldTraceUser}

// testSessionsAndUsers groups the traces of testTraceQueries.
func testSessionsAndUsers(s *suite) {
	s.sub("pages", testGroupPages)
	s.sub("filters", testGroupFilters)
}

func testGroupPages(s *suite) {
	for _, by := range groupFields {
		for _, sort := range query.TraceGroupSorts {
			for i := range 4 {
				s.findsGroups(query.TraceGroupQuery{By: by, SearchQuery: query.SearchQuery{
					Query: home(nil, ""), SortBy: sort, Ascending: i%2 == 0, Page: 1 + i/2, PerPage: 3,
				}})
			}
		}
		for _, workspace := range []int64{Home, Away, 3} {
			for _, page := range []int{1, 9, math.MaxInt} {
				s.findsGroups(query.TraceGroupQuery{By: by, SearchQuery: query.SearchQuery{Query: query.Query{Workspace: workspace}, Page: page, PerPage: 4}})
			}
		}
	}
}

func testGroupFilters(s *suite) {
	a, found := s.newTraceAsker(9), 0
	for i := range 30 {
		found += s.findsGroups(query.TraceGroupQuery{By: groupFields[i%2], SearchQuery: query.SearchQuery{
			Query: home(a.tree(3, false), ""), SortBy: pick(&a.maker, query.TraceGroupSorts), Page: 1, PerPage: 100,
		}})
	}
	if found == 0 {
		s.t.Error("no filter found anything: the test proves nothing")
	}
	for _, text := range []string{"refund", "nobody wrote this", "退款"} {
		for _, by := range groupFields {
			s.findsGroups(query.TraceGroupQuery{By: by, SearchQuery: query.SearchQuery{Query: home(nil, text), Page: 1, PerPage: 100}})
		}
	}
}

func (s *suite) findsGroups(q query.TraceGroupQuery) int {
	s.t.Helper()
	want, err := s.want.GroupTraces(s.ctx, q)
	s.ok(err)
	got, err := s.Store.GroupTraces(s.ctx, q)
	if err != nil {
		s.t.Fatalf("%+v: %v", q, err)
	}
	s.equal(fmt.Sprintf("%+v", q), got, want, nearly)
	return len(want.Items)
}
