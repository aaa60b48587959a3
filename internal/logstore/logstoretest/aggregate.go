package logstoretest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
)

// aggregates checks that both stores have the same rows, whatever their order,
// and returns them.
func (s *suite) aggregates(q reqlog.AggregateQuery) []reqlog.AggregateRow {
	s.t.Helper()
	want, err := s.want.Aggregate(s.ctx, q)
	s.ok(err)
	got, err := s.Store.Aggregate(s.ctx, q)
	if err != nil {
		s.t.Errorf("%s: %v", describe(q), err)
		return nil
	}
	want, got = sortedByKey(want), sortedByKey(got)
	s.equal(describe(q), got, want, nearly)
	return want
}

func describe(q reqlog.AggregateQuery) string {
	text := fmt.Sprintf("aggregate %+v limit %d", q.Measures, q.Limit)
	for _, d := range q.By {
		text += fmt.Sprintf(" by %+v", d)
		if d.Bucket != nil {
			text += fmt.Sprintf(" of %+v", *d.Bucket)
		}
	}
	return text + fmt.Sprintf(" where %+v", q.Query)
}

// dimensions has each kind of dimension.
func dimensions() map[string]reqlog.Dimension {
	all := map[string]reqlog.Dimension{}
	for _, field := range fields {
		if field.Spec().OfTrace {
			continue
		}
		switch field.Type() {
		case reqlog.TypeString, reqlog.TypeStatus, reqlog.TypeIdentifier, reqlog.TypeNumeric, reqlog.TypeArray:
			all[string(field)] = reqlog.Dimension{Field: field}
		}
	}
	for _, bucket := range buckets {
		all[fmt.Sprint("start by ", bucket.Unit, bucket.Minutes)] = reqlog.Dimension{Bucket: &bucket}
	}
	for _, key := range []string{"user_id", "env", "user.tags", "n", "unique", "odd", "nest.'", "nest.\x00", "1:a", "%", "'", "nobody"} {
		all["metadata "+key] = reqlog.Dimension{MetadataKey: key}
	}
	for _, name := range scoreNames {
		all["score "+name] = reqlog.Dimension{Field: reqlog.FieldScores, Key: name}
		all["bins of score "+name] = reqlog.Dimension{Field: reqlog.FieldScores, Key: name, BinWidth: 10}
	}
	for _, width := range []float64{0.01, 0.125, 1, 100, 1000, 1e9} {
		for _, field := range []reqlog.Field{reqlog.FieldLatency, reqlog.FieldCost, reqlog.FieldInputTokens, reqlog.FieldPromptVersion} {
			all[fmt.Sprint("bins of ", width, " ", field)] = reqlog.Dimension{Field: field, BinWidth: width}
		}
	}
	return all
}

// scoreNames are names of scores that logs have; no log has the last one.
var scoreNames = []string{"tone", reqlog.DefaultScore, oddities[1], "nobody"}

var (
	count = reqlog.Measure{Metric: reqlog.MetricCount}
	cost  = reqlog.Measure{Metric: reqlog.MetricSum, Field: reqlog.FieldCost}
	slow  = reqlog.Measure{Metric: reqlog.MetricPercentile, Field: reqlog.FieldLatency, Percentile: 90}
)

func testDimensions(s *suite) {
	some := reqlog.Cond{Field: reqlog.FieldTags, Op: reqlog.OpIsNotEmpty}
	for name, d := range dimensions() {
		s.sub(name, func(s *suite) {
			rows := s.aggregates(reqlog.AggregateQuery{Query: home(nil, ""), By: []reqlog.Dimension{d}, Measures: []reqlog.Measure{count, cost, slow}})
			if len(rows) == 0 && !strings.HasSuffix(name, " nobody") {
				s.t.Error("no rows: the test proves nothing")
			}
			s.aggregates(reqlog.AggregateQuery{Query: home(some, "refund"), By: []reqlog.Dimension{d}, Measures: []reqlog.Measure{count}})
		})
	}
}

func testMeasures(s *suite) {
	measures := []reqlog.Measure{count}
	for _, key := range []string{"user_id", "user.tags", "odd", "nobody"} {
		measures = append(measures, reqlog.Measure{Metric: reqlog.MetricDistinct, MetadataKey: key})
	}
	for _, field := range fields {
		if field.Type() == reqlog.TypeNumeric {
			measures = append(measures, summaries(field, "")...)
		}
	}
	for _, name := range scoreNames {
		measures = append(measures, summaries(reqlog.FieldScores, name)...)
	}
	nothing := reqlog.Cond{Field: reqlog.FieldEngine, Op: reqlog.OpIs, Texts: []string{"nobody has this"}}
	unlinked := reqlog.Cond{Field: reqlog.FieldPromptID, Op: reqlog.OpIsNull}
	for _, q := range []reqlog.Query{home(nil, ""), home(nothing, ""), home(unlinked, ""), home(nil, "refund"), {Workspace: 99}} {
		if rows := s.aggregates(reqlog.AggregateQuery{Query: q, Measures: measures}); len(rows) != 1 {
			s.t.Errorf("%d rows without a dimension", len(rows))
		}
		for _, d := range []reqlog.Dimension{{Field: reqlog.FieldEngine}, {Field: reqlog.FieldTags}, {Bucket: &reqlog.BucketDay}} {
			s.aggregates(reqlog.AggregateQuery{Query: q, By: []reqlog.Dimension{d}, Measures: measures})
		}
	}
}

// summaries returns the measures of a number.
func summaries(field reqlog.Field, key string) (measures []reqlog.Measure) {
	for _, metric := range []reqlog.Metric{reqlog.MetricSum, reqlog.MetricAvg, reqlog.MetricMin, reqlog.MetricMax} {
		measures = append(measures, reqlog.Measure{Metric: metric, Field: field, Key: key})
	}
	for _, p := range []float64{0, 1, 33.3, 50, 95, 99.9, 100} {
		measures = append(measures, reqlog.Measure{Metric: reqlog.MetricPercentile, Field: field, Key: key, Percentile: p})
	}
	return measures
}

func testTwoDimensions(s *suite) {
	all := dimensions()
	names := []string{"engine", "tags", "tool_names", "metadata_keys", "prompt_id", "score tone", "metadata user.tags", "start by day0", "bins of 100 input_tokens", "status"}
	for _, first := range names {
		for _, second := range names {
			s.aggregates(reqlog.AggregateQuery{
				Query: home(nil, ""), By: []reqlog.Dimension{all[first], all[second]}, Measures: []reqlog.Measure{count, cost},
			})
		}
	}
	s.aggregates(reqlog.AggregateQuery{
		Query: home(nil, "refund"), By: []reqlog.Dimension{all["tags"], all["output_keys"], all["metadata_keys"]}, Measures: []reqlog.Measure{cost},
	})
}

// testOnly restricts each dimension to values it has, to one it does not have,
// and to none at all.
func testOnly(s *suite) {
	for name, d := range dimensions() {
		q := reqlog.AggregateQuery{Query: home(nil, ""), By: []reqlog.Dimension{d}, Measures: []reqlog.Measure{count}}
		rows, err := s.want.Aggregate(s.ctx, q)
		s.ok(err)
		only := []string{"nobody has this", "'"}
		for i := 0; i < len(rows); i += 3 {
			only = append(only, rows[i].Keys[0])
		}
		s.sub(name, func(s *suite) {
			q.By = []reqlog.Dimension{d}
			q.By[0].Only = only
			s.aggregates(q)
			q.By[0].Only = []string{}
			if rows := s.aggregates(q); len(rows) > 0 {
				s.t.Errorf("%d rows although no value was asked for", len(rows))
			}
		})
	}
}

// testAggregateLimit leaves open which of several equal rows are kept.
func testAggregateLimit(s *suite) {
	for _, field := range []reqlog.Field{reqlog.FieldEngine, reqlog.FieldTags, reqlog.FieldPromptVersion, reqlog.FieldMetadataKeys} {
		for _, measure := range []reqlog.Measure{count, cost, slow} {
			q := reqlog.AggregateQuery{Query: home(nil, ""), By: []reqlog.Dimension{{Field: field}}, Measures: []reqlog.Measure{measure}}
			all := s.aggregates(q)
			sortRows(all)
			for _, q.Limit = range []int{1, 2, 3, 10, 10_000} {
				got, err := s.Store.Aggregate(s.ctx, q)
				s.ok(err)
				s.keeps(q, got, all)
			}
		}
	}
}

// keeps checks that rows are the highest of all.
func (s *suite) keeps(q reqlog.AggregateQuery, rows, all []reqlog.AggregateRow) {
	s.t.Helper()
	if len(rows) != min(q.Limit, len(all)) {
		s.t.Fatalf("%s: %d rows of %d", describe(q), len(rows), len(all))
	}
	sortRows(rows)
	for i, row := range rows {
		s.equal(describe(q), row.Values, all[i].Values, nearly)
		if !slices.ContainsFunc(all, func(r reqlog.AggregateRow) bool { return slices.Equal(r.Keys, row.Keys) }) {
			s.t.Errorf("%s: row %q is made up", describe(q), row.Keys)
		}
	}
}
