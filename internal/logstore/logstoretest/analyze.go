package logstoretest

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// buckets are all ways to cut time.
var buckets = []chart.Bucket{
	chart.BucketSecond, chart.BucketMinute, chart.BucketFiveMinutes, chart.BucketHour, chart.BucketDay,
	chart.BucketWeek, chart.BucketMonth,
}

// analyzes checks that both stores count the same and returns what.
func (s *suite) analyzes(q chart.AnalyzeQuery) *chart.Analytics {
	s.t.Helper()
	want, err := s.want.Analyze(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Analyze(s.ctx, q)
	if err != nil {
		s.t.Fatalf("%+v: %v", q, err)
	}
	s.equal(fmt.Sprintf("%+v", q), got, want, nearly)
	return got
}

func testAnalytics(s *suite) {
	for _, bucket := range buckets {
		s.sub(fmt.Sprint(bucket.Unit, bucket.Minutes), func(s *suite) {
			a := s.analyzes(chart.AnalyzeQuery{Query: home(nil, ""), Bucket: bucket})
			sum := int64(0)
			for _, b := range a.Buckets {
				sum += b.Requests
			}
			if sum != a.Requests {
				s.t.Errorf("the buckets hold %d requests of %d", sum, a.Requests)
			}
		})
	}
	for _, key := range []string{"user_id", "env", "user.tags", "n", "unique", "odd", "1:a", "%", "nobody"} {
		s.analyzes(chart.AnalyzeQuery{Query: home(nil, ""), Bucket: chart.BucketDay, BreakdownKey: key})
	}
	g := newGenerator(s.want.in(Home), 7)
	for range 12 {
		s.analyzes(chart.AnalyzeQuery{Query: home(g.tree(2), ""), Bucket: chart.BucketDay})
		s.analyzes(chart.AnalyzeQuery{Query: home(nil, g.text()), Bucket: chart.BucketHour})
	}
	s.analyzes(chart.AnalyzeQuery{Query: query.Query{Workspace: Away}, Bucket: chart.BucketMonth})
}

func testAnalyticsOfNothing(s *suite) {
	nothing := query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"nobody has this"}}
	for _, q := range []query.Query{home(nothing, ""), home(nil, "nobody hasthis"), {Workspace: 99}} {
		got, err := s.Store.Analyze(s.ctx, chart.AnalyzeQuery{Query: q, Bucket: chart.BucketHour, BreakdownKey: "env"})
		s.ok(err)
		s.equal("analytics of nothing", got, &chart.Analytics{Bucket: chart.BucketHour}, exact)
	}
}
