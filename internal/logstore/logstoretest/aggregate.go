package logstoretest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
	"github.com/promptuary/promptuary/internal/reqlog/query"
)

// aggregates checks that both stores have the same rows, whatever their order,
// and returns them.
func (s *suite) aggregates(q chart.AggregateQuery) []chart.AggregateRow {
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

func describe(q chart.AggregateQuery) string {
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
func dimensions() map[string]chart.Dimension {
	all := map[string]chart.Dimension{}
	for _, field := range fields {
		if field.Spec().OfTrace {
			continue
		}
		switch field.Type() {
		case query.TypeString, query.TypeStatus, query.TypeIdentifier, query.TypeNumeric, query.TypeArray:
			all[string(field)] = chart.Dimension{Field: field}
		}
	}
	for _, bucket := range buckets {
		all[fmt.Sprint("start by ", bucket.Unit, bucket.Minutes)] = chart.Dimension{Bucket: &bucket}
	}
	for _, key := range []string{"user_id", "env", "user.tags", "n", "unique", "odd", "nest.'", "nest.\x00", "1:a", "%", "'", "nobody"} {
		all["metadata "+key] = chart.Dimension{MetadataKey: key}
	}
	for _, name := range scoreNames {
		all["score "+name] = chart.Dimension{Field: query.FieldScores, Key: name}
		all["bins of score "+name] = chart.Dimension{Field: query.FieldScores, Key: name, BinWidth: 10}
	}
	for _, width := range []float64{0.01, 0.125, 1, 100, 1000, 1e9} {
		for _, field := range []query.Field{query.FieldLatency, query.FieldCost, query.FieldInputTokens, query.FieldPromptVersion} {
			all[fmt.Sprint("bins of ", width, " ", field)] = chart.Dimension{Field: field, BinWidth: width}
		}
	}
	return all
}

// scoreNames are names of scores that logs have; no log has the last one.
var scoreNames = []string{"tone", reqlog.DefaultScore, oddities[1], "nobody"}

var (
	count = chart.Measure{Metric: chart.MetricCount}
	cost  = chart.Measure{Metric: chart.MetricSum, Field: query.FieldCost}
	slow  = chart.Measure{Metric: chart.MetricPercentile, Field: query.FieldLatency, Percentile: 90}
)

func testDimensions(s *suite) {
	some := query.Cond{Field: query.FieldTags, Op: query.OpIsNotEmpty}
	for name, d := range dimensions() {
		s.sub(name, func(s *suite) {
			rows := s.aggregates(chart.AggregateQuery{Query: home(nil, ""), By: []chart.Dimension{d}, Measures: []chart.Measure{count, cost, slow}})
			if len(rows) == 0 && !strings.HasSuffix(name, " nobody") {
				s.t.Error("no rows: the test proves nothing")
			}
			s.aggregates(chart.AggregateQuery{Query: home(some, "refund"), By: []chart.Dimension{d}, Measures: []chart.Measure{count}})
		})
	}
}

func testMeasures(s *suite) {
	measures := []chart.Measure{count}
	for _, key := range []string{"user_id", "user.tags", "odd", "nobody"} {
		measures = append(measures, chart.Measure{Metric: chart.MetricDistinct, MetadataKey: key})
	}
	for _, field := range fields {
		if field.Type() == query.TypeNumeric {
			measures = append(measures, summaries(field, "")...)
		}
	}
	for _, name := range scoreNames {
		measures = append(measures, summaries(query.FieldScores, name)...)
	}
	nothing := query.Cond{Field: query.FieldEngine, Op: query.OpIs, Texts: []string{"nobody has this"}}
	unlinked := query.Cond{Field: query.FieldPromptID, Op: query.OpIsNull}
	for _, q := range []query.Query{home(nil, ""), home(nothing, ""), home(unlinked, ""), home(nil, "refund"), {Workspace: 99}} {
		if rows := s.aggregates(chart.AggregateQuery{Query: q, Measures: measures}); len(rows) != 1 {
			s.t.Errorf("%d rows without a dimension", len(rows))
		}
		for _, d := range []chart.Dimension{{Field: query.FieldEngine}, {Field: query.FieldTags}, {Bucket: &chart.BucketDay}} {
			s.aggregates(chart.AggregateQuery{Query: q, By: []chart.Dimension{d}, Measures: measures})
		}
	}
}

// summaries returns the measures of a number.
func summaries(field query.Field, key string) (measures []chart.Measure) {
	for _, metric := range []chart.Metric{chart.MetricSum, chart.MetricAvg, chart.MetricMin, chart.MetricMax} {
		measures = append(measures, chart.Measure{Metric: metric, Field: field, Key: key})
	}
	for _, p := range []float64{0, 1, 33.3, 50, 95, 99.9, 100} {
		measures = append(measures, chart.Measure{Metric: chart.MetricPercentile, Field: field, Key: key, Percentile: p})
	}
	return measures
}

func testTwoDimensions(s *suite) {
	all := dimensions()
	names := []string{"engine", "tags", "tool_names", "metadata_keys", "prompt_id", "score tone", "metadata user.tags", "start by day0", "bins of 100 input_tokens", "status"}
	for _, first := range names {
		for _, second := range names {
			s.aggregates(chart.AggregateQuery{
				Query: home(nil, ""), By: []chart.Dimension{all[first], all[second]}, Measures: []chart.Measure{count, cost},
			})
		}
	}
	s.aggregates(chart.AggregateQuery{
		Query: home(nil, "refund"), By: []chart.Dimension{all["tags"], all["output_keys"], all["metadata_keys"]}, Measures: []chart.Measure{cost},
	})
}

// testOnly restricts each dimension to values it has, to one it does not have,
// and to none at all.
func testOnly(s *suite) {
	for name, d := range dimensions() {
		q := chart.AggregateQuery{Query: home(nil, ""), By: []chart.Dimension{d}, Measures: []chart.Measure{count}}
		rows, err := s.want.Aggregate(s.ctx, q)
		s.ok(err)
		only := []string{"nobody has this", "'"}
		for i := 0; i < len(rows); i += 3 {
			only = append(only, rows[i].Keys[0])
		}
		s.sub(name, func(s *suite) {
			q.By = []chart.Dimension{d}
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
	for _, field := range []query.Field{query.FieldEngine, query.FieldTags, query.FieldPromptVersion, query.FieldMetadataKeys} {
		for _, measure := range []chart.Measure{count, cost, slow} {
			q := chart.AggregateQuery{Query: home(nil, ""), By: []chart.Dimension{{Field: field}}, Measures: []chart.Measure{measure}}
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
func (s *suite) keeps(q chart.AggregateQuery, rows, all []chart.AggregateRow) {
	s.t.Helper()
	if len(rows) != min(q.Limit, len(all)) {
		s.t.Fatalf("%s: %d rows of %d", describe(q), len(rows), len(all))
	}
	sortRows(rows)
	for i, row := range rows {
		s.equal(describe(q), row.Values, all[i].Values, nearly)
		if !slices.ContainsFunc(all, func(r chart.AggregateRow) bool { return slices.Equal(r.Keys, row.Keys) }) {
			s.t.Errorf("%s: row %q is made up", describe(q), row.Keys)
		}
	}
}
