package logsql

import (
	"github.com/promptuary/promptuary/internal/reqlog"
	"github.com/promptuary/promptuary/internal/reqlog/chart"
)

// Analysis computes analytics in a few passes over the logs: totals of each
// bucket, totals and latencies of each model, provider and prompt, and one pass
// for each kind of list.
type Analysis struct {
	Result *chart.Analytics
	// Last, if not nil, is set to the highest id in the first pass. Engines that
	// read later logs in the others leave them out by it.
	Last         *int64
	breakdownKey string
}

// NewAnalysis returns the analysis of a query.
func NewAnalysis(analyze chart.AnalyzeQuery) *Analysis {
	return &Analysis{Result: &chart.Analytics{Bucket: analyze.Bucket}, breakdownKey: analyze.BreakdownKey}
}

// Pass is one query of an analysis.
type Pass struct {
	Name string
	// SQL writes the query.
	SQL func(w Writer, logs Logs) string
	// Row reads a row, and Done, if there is one, is called after all rows.
	Row  func(Scan) error
	Done func()
}

// Run runs the passes. After the first one, the lists of passes do not depend on
// each other; together runs the steps that it is given, in any order or at once.
func (a *Analysis) Run(run func(Pass) error, together func(steps ...func() error) error) error {
	if err := runPass(a.buckets, run); err != nil || a.Result.Requests == 0 {
		return err
	}
	var steps []func() error
	for _, passes := range a.passes() {
		steps = append(steps, func() error {
			for _, next := range passes {
				if err := runPass(next, run); err != nil {
					return err
				}
			}
			return nil
		})
	}
	return together(steps...)
}

// RunTraced runs the pass that finds the shares of traces. The buckets must be known.
func (a *Analysis) RunTraced(run func(Pass) error) error { return runPass(a.traced, run) }

// RunMetadataValues runs the pass that ranks metadata values.
func (a *Analysis) RunMetadataValues(run func(Pass) error) error {
	return runPass(a.metadataValues, run)
}

func runPass(next func() Pass, run func(Pass) error) error {
	pass := next()
	if err := run(pass); err != nil {
		return err
	}
	if pass.Done != nil {
		pass.Done()
	}
	return nil
}

// OneByOne runs steps in turn until one fails.
func OneByOne(steps ...func() error) error {
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// passes returns two lists that take about the same time. A pass depends on the one
// before it in its list.
func (a *Analysis) passes() [][]func() Pass {
	r := a.Result
	return [][]func() Pass{
		{a.traced, a.groups, a.series},
		{
			a.tags, a.tools,
			func() Pass { return a.keys("metadata_keys", &r.MetadataKeys) },
			func() Pass { return a.keys("output_keys", &r.OutputKeys) },
			a.metadataValues,
		},
	}
}

// latencies asks for all percentiles at once, which costs as much as one.
func latencies(w Writer) string {
	return "avg(latency_ms), " + w.Quantiles("latency_ms", "0.5, 0.9, 0.95")
}

// latency reads latencies.
type latency struct {
	avg         float64
	percentiles any
}

func (l *latency) targets() []any { return []any{&l.avg, &l.percentiles} }

func (l *latency) seconds() chart.Latency {
	found := chart.Latency{Avg: l.avg / 1000}
	if list := listOf[float64](l.percentiles); len(list) == 3 {
		found.P50, found.P90, found.P95 = list[0]/1000, list[1]/1000, list[2]/1000
	}
	return found
}

const (
	sumCost = "coalesce(sum(price), 0)"
	// totals are the sums of breakdowns.
	totals = sumCost + ", " + sumTokens
	// sumTokens are whole numbers in every engine.
	sumTokens = "coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT"
)

func (a *Analysis) buckets() Pass {
	r := a.Result
	sql := func(w Writer, logs Logs) string {
		last := ""
		if a.Last != nil {
			last = "max(id), "
		}
		return "SELECT " + last + w.Bucket(r.Bucket) + " AS bucket, count(*), " + totals +
			", coalesce(sum(cached_tokens), 0)::BIGINT, coalesce(sum(thinking_tokens), 0)::BIGINT, " +
			w.CountIf("status = 'SUCCESS'") + ", " + w.CountIf("status = 'WARNING'") + ", " + w.CountIf("status = 'ERROR'") + ", " +
			w.CountIf("is_json") + ", " + w.CountIf("is_tool_call") +
			", avg(turns), avg(tool_calls), " + w.Quantile("tool_calls", "0.95") + ", " + latencies(w) +
			" FROM " + logs.From() + " GROUP BY bucket ORDER BY bucket"
	}
	return Pass{"buckets", sql, func(scan Scan) error {
		var b chart.BucketStats
		var l latency
		var last int64
		targets := []any{
			(*int64)(&b.Start), &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens, &b.CachedTokens, &b.ThinkingTokens,
			&b.Success, &b.Warning, &b.Error, &b.JSON, &b.ToolCall, &b.AvgTurns, &b.AvgToolCalls, &b.P95ToolCalls,
		}
		if a.Last != nil {
			targets = append([]any{&last}, targets...)
		}
		err := scan(append(targets, l.targets()...)...)
		if a.Last != nil {
			*a.Last = max(*a.Last, last)
		}
		b.Latency, b.PlainText = l.seconds(), b.Requests-b.JSON-b.ToolCall
		r.Buckets = append(r.Buckets, b)
		return err
	}, r.SumBuckets}
}

// traced finds the share of logs of each bucket that belong to a trace. Only logs
// with a span id are looked up.
func (a *Analysis) traced() Pass {
	places := make(map[reqlog.Micros]*chart.BucketStats, len(a.Result.Buckets))
	for i := range a.Result.Buckets {
		places[a.Result.Buckets[i].Start] = &a.Result.Buckets[i]
	}
	sql := func(w Writer, logs Logs) string {
		return "SELECT " + w.Bucket(a.Result.Bucket) + " AS bucket, count(*) FROM " + logs.From() + " AND " + logs.Traced() + " GROUP BY bucket"
	}
	return Pass{"traced", sql, func(scan Scan) error {
		var start, count int64
		err := scan(&start, &count)
		if b := places[reqlog.Micros(start)]; b != nil {
			b.TraceShare = float64(count) / float64(b.Requests)
		}
		return err
	}, nil}
}

// groupColumns are the columns whose values get totals; the first three also get
// a series over time. Prompts are grouped by number and named afterwards, which
// is one text for each prompt instead of one for each log.
const groupColumns = "coalesce(nullif(engine, ''), '" + chart.UnknownModel + "') AS g0, provider AS g1, prompt_id AS g2, error_type AS g3"

// over writes a query with a subquery between the logs and the choice.
func over(choose, inner string, logs Logs, tail string) string {
	return "SELECT " + choose + " FROM (SELECT " + inner + " FROM " + logs.From() + ")" + tail
}

// groups finds the totals of each model, provider, prompt and error type.
func (a *Analysis) groups() Pass {
	var found [4][]chart.Breakdown
	sql := func(_ Writer, logs Logs) string {
		return over("grouping(g0, g1, g2, g3), coalesce(g0, g1, g2::VARCHAR, g3), count(*), "+totals,
			groupColumns+", price, input_tokens, output_tokens", logs, " GROUP BY GROUPING SETS ((g0), (g1), (g2), (g3))")
	}
	return Pass{"groups", sql, func(scan Scan) error {
		var set int64
		var name any
		var b chart.Breakdown
		err := scan(&set, &name, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens)
		if b.Name = textOf(name); b.Name != "" {
			i := groupingIndex(set, 4)
			found[i] = append(found[i], b)
		}
		return err
	}, func() {
		r := a.Result
		r.Models, r.Providers, r.Prompts = chart.MostRequests(found[0]), chart.HighestCost(found[1]), chart.HighestCost(found[2])
		r.MostUsedPrompts, r.ErrorTypes = chart.MostRequests(found[2]), chart.MostRequests(found[3])
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
func (a *Analysis) series() Pass {
	r := a.Result
	r.ByModel, r.ByProvider, r.ByPrompt = map[string][]chart.BucketLatency{}, map[string][]chart.BucketLatency{}, map[string][]chart.BucketLatency{}
	targets := []map[string][]chart.BucketLatency{r.ByModel, r.ByProvider, r.ByPrompt}
	models, providers, prompts := r.RankedNames()
	kept := []map[string]bool{models, providers, prompts}
	sql := func(w Writer, logs Logs) string {
		return over("grouping(g0, g1, g2), coalesce(g0, g1, g2::VARCHAR), bucket, count(*), "+latencies(w),
			groupColumns+", latency_ms, "+w.Bucket(r.Bucket)+" AS bucket", logs,
			" GROUP BY GROUPING SETS ((bucket, g0), (bucket, g1), (bucket, g2)) ORDER BY bucket")
	}
	return Pass{"series", sql, func(scan Scan) error {
		var set int64
		var name any
		var point chart.BucketLatency
		var l latency
		err := scan(append([]any{&set, &name, (*int64)(&point.Start), &point.Requests}, l.targets()...)...)
		point.Latency = l.seconds()
		if i, text := groupingIndex(set, 3), textOf(name); kept[i][text] {
			targets[i][text] = append(targets[i][text], point)
		}
		return err
	}, nil}
}
