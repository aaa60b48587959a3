package logstoretest

import (
	"fmt"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// buckets are all ways to cut time.
var buckets = []reqlog.Bucket{
	reqlog.BucketSecond, reqlog.BucketMinute, reqlog.BucketFiveMinutes, reqlog.BucketHour, reqlog.BucketDay,
	reqlog.BucketWeek, reqlog.BucketMonth,
}

// analyzes checks that both stores count the same and returns what.
func (s *suite) analyzes(q reqlog.AnalyzeQuery) *reqlog.Analytics {
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
			a := s.analyzes(reqlog.AnalyzeQuery{Query: home(nil, ""), Bucket: bucket})
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
		s.analyzes(reqlog.AnalyzeQuery{Query: home(nil, ""), Bucket: reqlog.BucketDay, BreakdownKey: key})
	}
	g := newGenerator(s.want.in(Home), 7)
	for range 12 {
		s.analyzes(reqlog.AnalyzeQuery{Query: home(g.tree(2), ""), Bucket: reqlog.BucketDay})
		s.analyzes(reqlog.AnalyzeQuery{Query: home(nil, g.text()), Bucket: reqlog.BucketHour})
	}
	s.analyzes(reqlog.AnalyzeQuery{Query: reqlog.Query{Workspace: Away}, Bucket: reqlog.BucketMonth})
}

func testAnalyticsOfNothing(s *suite) {
	nothing := reqlog.Cond{Field: reqlog.FieldEngine, Op: reqlog.OpIs, Texts: []string{"nobody has this"}}
	for _, q := range []reqlog.Query{home(nothing, ""), home(nil, "nobody hasthis"), {Workspace: 99}} {
		got, err := s.Store.Analyze(s.ctx, reqlog.AnalyzeQuery{Query: q, Bucket: reqlog.BucketHour, BreakdownKey: "env"})
		s.ok(err)
		s.equal("analytics of nothing", got, &reqlog.Analytics{Bucket: reqlog.BucketHour}, exact)
	}
}
