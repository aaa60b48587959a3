package logstoretest

import (
	"fmt"
	"math"
	"slices"

	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// sortable lists the fields that clients may sort by, and one that has nulls.
var sortable = slices.DeleteFunc(append([]query.Field{query.FieldPromptVersion}, query.SortFields...), func(f query.Field) bool {
	return f.Type().HasKeys() // see testOrder
})

func testOrder(s *suite) {
	all := len(ids(s, s.want, home(nil, "")))
	s.finds(query.SearchQuery{Query: home(nil, ""), Page: 1, PerPage: 60})
	for _, name := range scoreNames {
		s.finds(query.SearchQuery{Query: home(nil, ""), SortBy: query.FieldScores, SortKey: name, Page: 1, PerPage: 60})
		s.finds(query.SearchQuery{Query: home(nil, "refund"), SortBy: query.FieldScores, SortKey: name, Ascending: true, Page: 2, PerPage: 25})
	}
	for _, field := range sortable {
		for _, ascending := range []bool{false, true} {
			q := query.SearchQuery{Query: home(nil, ""), SortBy: field, Ascending: ascending, Page: 1, PerPage: 25}
			s.finds(q)
			q.Page = all/25 + 1 // where nulls are
			s.finds(q)
		}
	}
}

func testPages(s *suite) {
	for _, q := range []query.Query{home(nil, ""), home(nil, "refund"), home(nil, "nothing has this"), {Workspace: 9}} {
		total := len(ids(s, s.want, q))
		for _, size := range []int{1, 7, 25} {
			for _, page := range []int{1, 2, total/size - 1, total / size, total/size + 1, total/size + 2, 1 << 31, math.MaxInt / 2, math.MaxInt} {
				if page >= 1 {
					s.finds(query.SearchQuery{Query: q, Page: page, PerPage: size})
				}
			}
		}
	}
}

// testGet checks that every log comes back as it was written, with its
// annotations. What is derived may be missing, but not be out of date.
func testGet(s *suite) {
	for _, l := range s.want.logs {
		got, err := s.Store.Get(s.ctx, l.Workspace, l.ID)
		if err != nil {
			s.t.Fatalf("get log %d: %v", l.ID, err)
		}
		want := copyOf(s.want.withTrace(l))
		if !indexed(got) {
			want.Index = reqlog.Index{}
		}
		s.equal(fmt.Sprint("log ", l.ID), got, want, exact)
	}
	for _, id := range []int64{0, -1, 1 << 40, math.MaxInt64, math.MinInt64} {
		_, err := s.Store.Get(s.ctx, Home, id)
		s.fails(err, fault.NotFound)
	}
}

func indexed(l *reqlog.Log) bool {
	return l.Index.InputText != "" || l.Index.OutputText != "" || l.Index.Metadata != nil || l.Index.Output != nil || l.Index.Variables != nil
}

// Searches invents searches for the logs of the workspace Home, without free text: all
// kinds of conditions, in all orders, from the first page to behind the last.
func Searches(logs []*reqlog.Log, seed uint64, count int) []query.SearchQuery {
	g := newGenerator(slices.DeleteFunc(slices.Clone(logs), func(l *reqlog.Log) bool { return l.Workspace != Home }), seed)
	searches := make([]query.SearchQuery, count)
	for i := range searches {
		q := query.SearchQuery{Query: home(g.tree(2), ""), Page: 1 + g.rng.IntN(4), PerPage: 1 + g.rng.IntN(40), Ascending: g.chance(50)}
		if g.chance(20) {
			q.Filter = nil
		}
		switch g.rng.IntN(4) {
		case 0: // the usual order
		case 1:
			q.SortBy, q.SortKey = query.FieldScores, pick(&g.maker, scoreNames)
		default:
			q.SortBy = pick(&g.maker, sortable)
		}
		searches[i] = q
	}
	return searches
}
