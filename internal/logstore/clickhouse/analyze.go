package clickhouse

import (
	"context"
	"fmt"
	"strconv"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Analyze implements reqlog.Store in a few passes over the table: totals of each
// bucket, totals and latencies of each model, provider and prompt, and one pass
// for each kind of list. Logs that arrive after the first pass are left out of
// the others.
func (s *Store) Analyze(ctx context.Context, analyze reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	sel, err := s.selection(ctx, analyze.Query)
	if err != nil {
		return nil, err
	}
	a := &analysis{selection: sel, read: s.read, bucket: bucketExpression(analyze.Bucket), result: &reqlog.Analytics{Bucket: analyze.Bucket}}
	if err := a.all(ctx, analyze.BreakdownKey); err != nil {
		return nil, s.explain(fmt.Errorf("analyze logs: %w", err))
	}
	return a.result, nil
}

// analysis is one run of Analyze.
type analysis struct {
	*selection
	read   func(context.Context, *query, func(*rowReader) error) error
	bucket string
	result *reqlog.Analytics
}

// pass is a query with what reads its rows.
type pass struct {
	query *query
	scan  func(*rowReader) error
	// done, if there is one, is called after all rows.
	done func()
}

func (a *analysis) all(ctx context.Context, breakdownKey string) error {
	if err := a.run(ctx, a.buckets()); err != nil || a.result.Requests == 0 {
		return err
	}
	for _, next := range []func() pass{
		a.traced, a.groups, a.series, a.tags, a.tools,
		func() pass { return a.keys("metadata_keys", &a.result.MetadataKeys) },
		func() pass { return a.keys("output_keys", &a.result.OutputKeys) },
		func() pass { return a.metadataValues(breakdownKey) },
	} {
		if err := a.run(ctx, next()); err != nil {
			return err
		}
	}
	return nil
}

func (a *analysis) run(ctx context.Context, p pass) error {
	err := a.read(ctx, p.query, p.scan)
	if p.done != nil {
		p.done()
	}
	return err
}

// over writes a query: choose from inner, then tail.
func (a *analysis) over(inner, choose, tail string) *query {
	q := newQuery("SELECT ", choose, " FROM (SELECT ", inner, " FROM log WHERE ")
	a.where(q)
	q.write(")", tail)
	return q
}

// latencies asks for all percentiles at once, which costs as much as one.
const latencies = `avg(latency_ms), quantilesExactInclusive(0.5, 0.9, 0.95)(latency_ms)`

// totals are the sums of breakdowns.
const totals = `ifNull(sum(price), 0), ifNull(sum(input_tokens), 0), ifNull(sum(output_tokens), 0)`

func latencyOf(avg float64, percentiles []float64) reqlog.Latency {
	l := reqlog.Latency{Avg: avg / 1000}
	if len(percentiles) == 3 {
		l.P50, l.P90, l.P95 = percentiles[0]/1000, percentiles[1]/1000, percentiles[2]/1000
	}
	return l
}

func (a *analysis) buckets() pass {
	q := newQuery("SELECT max(id), ", a.bucket, ` AS bucket, count(), `, totals, `, ifNull(sum(cached_tokens), 0), ifNull(sum(thinking_tokens), 0),
		countIf(status = 'SUCCESS'), countIf(status = 'WARNING'), countIf(status = 'ERROR'), countIf(is_json), countIf(is_tool_call),
		avg(turns), avg(tool_calls), quantileExactInclusive(0.95)(tool_calls), `, latencies, " FROM log WHERE ")
	a.where(q)
	q.write(" GROUP BY bucket ORDER BY bucket")
	r := a.result
	return pass{q, func(rows *rowReader) error {
		var b reqlog.BucketStats
		var last, start int64
		var avg float64
		var percentiles []float64
		err := rows.scan(&last, &start, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens, &b.CachedTokens, &b.ThinkingTokens,
			&b.Success, &b.Warning, &b.Error, &b.JSON, &b.ToolCall, &b.AvgTurns, &b.AvgToolCalls, &b.P95ToolCalls, &avg, &percentiles)
		b.Start, b.Latency = reqlog.Micros(start), latencyOf(avg, percentiles)
		b.PlainText = b.Requests - b.JSON - b.ToolCall
		r.Buckets = append(r.Buckets, b)
		a.upTo = max(a.upTo, last)
		return err
	}, r.SumBuckets}
}

// traced finds the share of logs of each bucket that belong to a trace.
func (a *analysis) traced() pass {
	places := make(map[int64]*reqlog.BucketStats, len(a.result.Buckets))
	for i := range a.result.Buckets {
		places[int64(a.result.Buckets[i].Start)] = &a.result.Buckets[i]
	}
	q := newQuery("SELECT ", a.bucket, " AS bucket, count() FROM log WHERE ")
	a.where(q)
	q.write(" AND span_key <> 0 AND span_key IN (SELECT log_key FROM span FINAL WHERE workspace = ", q.bindInt(a.Workspace), ") GROUP BY bucket")
	return pass{q, func(rows *rowReader) error {
		var start, count int64
		err := rows.scan(&start, &count)
		if b := places[start]; b != nil {
			b.TraceShare = float64(count) / float64(b.Requests)
		}
		return err
	}, nil}
}

// groupColumns are the columns whose values get totals; the first three also get
// a series over time.
const groupColumns = "if(engine = '', '" + reqlog.UnknownModel + "', toString(engine)) AS g0, toString(provider) AS g1, " +
	"ifNull(toString(prompt_id), '') AS g2, ifNull(toString(error_type), '') AS g3"

// groups finds the totals of each model, provider, prompt and error type.
func (a *analysis) groups() pass {
	var found [4][]reqlog.Breakdown
	q := a.over(groupColumns+", price, input_tokens, output_tokens",
		"grouping(g0, g1, g2, g3), concat(g0, g1, g2, g3), count(), "+totals, " GROUP BY GROUPING SETS ((g0), (g1), (g2), (g3))")
	return pass{q, func(rows *rowReader) error {
		var set int64
		var b reqlog.Breakdown
		err := rows.scan(&set, &b.Name, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens)
		if i := groupingIndex(set, 4); b.Name != "" {
			found[i] = append(found[i], b)
		}
		return err
	}, func() {
		r := a.result
		r.Models, r.Providers, r.Prompts = reqlog.MostRequests(found[0]), reqlog.HighestCost(found[1]), reqlog.HighestCost(found[2])
		r.MostUsedPrompts, r.ErrorTypes = reqlog.MostRequests(found[2]), reqlog.MostRequests(found[3])
	}}
}

// groupingIndex tells which single column a row was grouped by: grouping()
// has a 0 bit for it, the first column's bit being the highest.
func groupingIndex(set int64, columns int) int {
	for i := range columns {
		if set&(1<<(columns-1-i)) == 0 {
			return i
		}
	}
	return 0
}

// series finds how requests and latencies of the models, providers and prompts
// with the most requests went over time.
func (a *analysis) series() pass {
	r := a.result
	r.ByModel, r.ByProvider, r.ByPrompt = map[string][]reqlog.BucketLatency{}, map[string][]reqlog.BucketLatency{}, map[string][]reqlog.BucketLatency{}
	targets := []map[string][]reqlog.BucketLatency{r.ByModel, r.ByProvider, r.ByPrompt}
	models, providers, prompts := r.RankedNames()
	kept := []map[string]bool{models, providers, prompts}
	q := a.over(groupColumns+", latency_ms, "+a.bucket+" AS bucket", "grouping(g0, g1, g2), concat(g0, g1, g2), bucket, count(), "+latencies,
		" GROUP BY GROUPING SETS ((bucket, g0), (bucket, g1), (bucket, g2)) ORDER BY bucket")
	return pass{q, func(rows *rowReader) error {
		var set, start int64
		var name string
		var point reqlog.BucketLatency
		var avg float64
		var percentiles []float64
		err := rows.scan(&set, &name, &start, &point.Requests, &avg, &percentiles)
		point.Start, point.Latency = reqlog.Micros(start), latencyOf(avg, percentiles)
		if i := groupingIndex(set, 3); kept[i][name] {
			targets[i][name] = append(targets[i][name], point)
		}
		return err
	}, nil}
}

// top is the end of queries of ranked lists.
var top = " LIMIT " + strconv.Itoa(reqlog.TopRows)

func (a *analysis) tags() pass {
	q := a.over("toString(arrayJoin(tags)) AS tag, price, input_tokens, output_tokens",
		"tag, count() AS requests, ifNull(sum(price), 0) AS cost, ifNull(sum(input_tokens), 0), ifNull(sum(output_tokens), 0)",
		" GROUP BY tag ORDER BY cost DESC, requests DESC, tag"+top)
	return pass{q, func(rows *rowReader) error {
		var b reqlog.Breakdown
		err := rows.scan(&b.Name, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens)
		a.result.Tags = append(a.result.Tags, b)
		return err
	}, nil}
}

func (a *analysis) tools() pass {
	q := a.over("toString(arrayJoin(tool_names)) AS tool, latency_ms",
		"tool, count() AS requests, avg(latency_ms) / 1000, min(latency_ms) / 1000, max(latency_ms) / 1000", " GROUP BY tool ORDER BY requests DESC, tool"+top)
	return pass{q, func(rows *rowReader) error {
		var t reqlog.ToolStats
		err := rows.scan(&t.Name, &t.Requests, &t.Avg, &t.Min, &t.Max)
		a.result.Tools = append(a.result.Tools, t)
		return err
	}, nil}
}

// keys ranks the elements of a list column.
func (a *analysis) keys(column string, into *[]reqlog.NamedCount) pass {
	q := a.over("toString(arrayJoin("+column+")) AS key", "key, count() AS requests", " GROUP BY key ORDER BY requests DESC, key"+top)
	return pass{q, func(rows *rowReader) error {
		var n reqlog.NamedCount
		err := rows.scan(&n.Name, &n.Requests)
		*into = append(*into, n)
		return err
	}, nil}
}

func (a *analysis) metadataValues(key string) pass {
	q := newQuery("SELECT pair, count() AS requests, ifNull(sum(price), 0) AS cost FROM (SELECT arrayJoin(metadata_pairs) AS pair, price FROM log WHERE ")
	a.where(q)
	q.write(")")
	if key != "" {
		q.write(" WHERE startsWith(pair, ", q.bind(document.PairText(key, "")), ")")
	}
	q.write(" GROUP BY pair ORDER BY cost DESC, requests DESC, pair", top)
	return pass{q, func(rows *rowReader) error {
		var pair string
		var v reqlog.ValueBreakdown
		err := rows.scan(&pair, &v.Requests, &v.Cost)
		v.Key, v.Value = document.SplitPair(pair)
		a.result.MetadataValues = append(a.result.MetadataValues, v)
		return err
	}, nil}
}
