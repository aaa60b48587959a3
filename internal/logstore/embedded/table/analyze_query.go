package table

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"

	"github.com/promptuary/promptuary/internal/logstore/document"
	"github.com/promptuary/promptuary/internal/reqlog"
)

// Analyze computes the analytics of the selection in a few passes over the
// table: totals of each bucket, totals and latencies of each model, provider
// and prompt, and one pass for each kind of list.
func (t *Table) Analyze(ctx context.Context, sel *Selection, analyze reqlog.AnalyzeQuery) (*reqlog.Analytics, error) {
	a := &analysis{Selection: sel, ctx: ctx, bucket: bucketExpression(analyze.Bucket), result: &reqlog.Analytics{Bucket: analyze.Bucket}}
	err := t.read(ctx, func(db *sql.DB) error {
		a.db = db
		return a.all(analyze.BreakdownKey)
	})
	if err != nil {
		return nil, fmt.Errorf("analyze logs: %w", err)
	}
	return a.result, nil
}

// analysis is one run of Analyze.
type analysis struct {
	*Selection
	ctx    context.Context //nolint:containedctx // lives as long as the call it belongs to
	db     *sql.DB
	bucket string
	result *reqlog.Analytics
}

func (a *analysis) all(breakdownKey string) error {
	if err := a.buckets(); err != nil || a.result.Requests == 0 {
		return err
	}
	for _, pass := range []func() error{
		a.traced, a.groups, a.series, a.tags, a.tools,
		func() error { return a.keys("metadata_keys", &a.result.MetadataKeys) },
		func() error { return a.keys("output_keys", &a.result.OutputKeys) },
		func() error { return a.metadataValues(breakdownKey) },
	} {
		if err := pass(); err != nil {
			return err
		}
	}
	return nil
}

// run writes select, from the matching logs, then tail, and scans each row.
func (a *analysis) run(choose, tail string, scan func(*sql.Rows) error) error {
	q := newQuery()
	q.write("SELECT ", choose, " FROM log WHERE ")
	a.where(q)
	q.write(tail)
	return q.rows(a.ctx, a.db, scan)
}

// latencies asks for all percentiles at once, which costs as much as one.
const latencies = `avg(latency_ms), quantile_cont(latency_ms, [0.5, 0.9, 0.95])`

// seconds scans milliseconds.
type seconds float64

// Scan implements sql.Scanner.
func (s *seconds) Scan(value any) error {
	ms, ok := value.(float64)
	if !ok {
		return fmt.Errorf("expected a number of milliseconds, got %T", value)
	}
	*s = seconds(ms / 1000)
	return nil
}

// percentiles scans the list of milliseconds that latencies asks for.
type percentiles reqlog.Latency

// Scan implements sql.Scanner.
func (p *percentiles) Scan(value any) error {
	list, ok := value.([]any)
	if !ok || len(list) != 3 {
		return fmt.Errorf("expected three percentiles, got %v", value)
	}
	for i, target := range []*float64{&p.P50, &p.P90, &p.P95} {
		if err := (*seconds)(target).Scan(list[i]); err != nil {
			return err
		}
	}
	return nil
}

func latencyTargets(l *reqlog.Latency) []any {
	return []any{(*seconds)(&l.Avg), (*percentiles)(l)}
}

func (a *analysis) buckets() error {
	r := a.result
	err := a.run(a.bucket+` AS bucket, count(*), coalesce(sum(price), 0), coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT,
		coalesce(sum(cached_tokens), 0)::BIGINT, coalesce(sum(thinking_tokens), 0)::BIGINT,
		count(*) FILTER (status = 'SUCCESS'), count(*) FILTER (status = 'WARNING'), count(*) FILTER (status = 'ERROR'),
		count(*) FILTER (is_json), count(*) FILTER (is_tool_call),
		avg(turns), avg(tool_calls), quantile_cont(tool_calls, 0.95), `+latencies,
		" GROUP BY bucket ORDER BY bucket",
		func(rows *sql.Rows) error {
			var b reqlog.BucketStats
			err := rows.Scan(append([]any{
				&b.Start, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens, &b.CachedTokens, &b.ThinkingTokens,
				&b.Success, &b.Warning, &b.Error, &b.JSON, &b.ToolCall, &b.AvgTurns, &b.AvgToolCalls, &b.P95ToolCalls,
			}, latencyTargets(&b.Latency)...)...)
			b.PlainText = b.Requests - b.JSON - b.ToolCall
			r.Buckets = append(r.Buckets, b)
			return err
		})
	r.SumBuckets()
	return err
}

// traced finds the share of logs of each bucket that belong to a trace. Only logs
// with a span id are looked up.
func (a *analysis) traced() error {
	places := make(map[reqlog.Micros]*reqlog.BucketStats, len(a.result.Buckets))
	for i := range a.result.Buckets {
		places[a.result.Buckets[i].Start] = &a.result.Buckets[i]
	}
	return a.run(a.bucket+" AS bucket, count(*)", " AND span_key IN (SELECT log_key FROM span) GROUP BY bucket", func(rows *sql.Rows) error {
		var start reqlog.Micros
		var count float64
		err := rows.Scan(&start, &count)
		if b := places[start]; b != nil {
			b.TraceShare = count / float64(b.Requests)
		}
		return err
	})
}

// groupings are the columns whose values get totals; the first three also get
// a series over time. Prompts are grouped by number and named afterwards, which
// is one text for each prompt instead of one for each log.
var groupings = []string{"coalesce(nullif(engine, ''), '" + reqlog.UnknownModel + "')", "provider", "prompt_id", "error_type"}

// groups finds the totals of each model, provider, prompt and error type.
func (a *analysis) groups() error {
	var found [4][]reqlog.Breakdown
	sets := "(g0), (g1), (g2), (g3)"
	err := a.runOver(groupColumns()+", price, input_tokens, output_tokens",
		`grouping(g0, g1, g2, g3), coalesce(g0, g1, g2::VARCHAR, g3), count(*), coalesce(sum(price), 0), coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT`,
		" GROUP BY GROUPING SETS ("+sets+")",
		func(rows *sql.Rows) error {
			var set int64
			var name sql.NullString
			var b reqlog.Breakdown
			if err := rows.Scan(&set, &name, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens); err != nil {
				return err
			}
			i := groupingIndex(set, 4)
			b.Name = name.String
			if b.Name != "" {
				found[i] = append(found[i], b)
			}
			return nil
		})
	r := a.result
	r.Models, r.Providers, r.Prompts = reqlog.MostRequests(found[0]), reqlog.HighestCost(found[1]), reqlog.HighestCost(found[2])
	r.MostUsedPrompts, r.ErrorTypes = reqlog.MostRequests(found[2]), reqlog.MostRequests(found[3])
	return err
}

func groupColumns() string {
	parts := make([]string, len(groupings))
	for i, column := range groupings {
		parts[i] = column + " AS g" + strconv.Itoa(i)
	}
	return strings.Join(parts, ", ")
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

// runOver is run with a subquery between the log table and the selection.
func (a *analysis) runOver(inner, choose, tail string, scan func(*sql.Rows) error) error {
	q := newQuery()
	q.write("SELECT ", choose, " FROM (SELECT ", inner, " FROM log WHERE ")
	a.where(q)
	q.write(")", tail)
	return q.rows(a.ctx, a.db, scan)
}

// series finds how requests and latencies of the models, providers and prompts
// with the most requests went over time.
func (a *analysis) series() error {
	r := a.result
	r.ByModel, r.ByProvider, r.ByPrompt = map[string][]reqlog.BucketLatency{}, map[string][]reqlog.BucketLatency{}, map[string][]reqlog.BucketLatency{}
	targets := []map[string][]reqlog.BucketLatency{r.ByModel, r.ByProvider, r.ByPrompt}
	models, providers, prompts := r.RankedNames()
	kept := []map[string]bool{models, providers, prompts}
	return a.runOver(groupColumns()+", latency_ms, "+a.bucket+" AS bucket",
		"grouping(g0, g1, g2), coalesce(g0, g1, g2::VARCHAR), bucket, count(*), "+latencies,
		" GROUP BY GROUPING SETS ((bucket, g0), (bucket, g1), (bucket, g2)) ORDER BY bucket",
		func(rows *sql.Rows) error {
			var set int64
			var name sql.NullString
			var point reqlog.BucketLatency
			if err := rows.Scan(append([]any{&set, &name, &point.Start, &point.Requests}, latencyTargets(&point.Latency)...)...); err != nil {
				return err
			}
			i := groupingIndex(set, 3)
			if kept[i][name.String] {
				targets[i][name.String] = append(targets[i][name.String], point)
			}
			return nil
		})
}

func (a *analysis) tags() error {
	var found []reqlog.Breakdown
	err := a.runOver("unnest(tags) AS tag, price, input_tokens, output_tokens",
		"tag, count(*), coalesce(sum(price), 0), coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT",
		" GROUP BY tag ORDER BY 3 DESC, 2 DESC, 1 LIMIT "+strconv.Itoa(reqlog.TopRows),
		func(rows *sql.Rows) error {
			var b reqlog.Breakdown
			err := rows.Scan(&b.Name, &b.Requests, &b.Cost, &b.InputTokens, &b.OutputTokens)
			found = append(found, b)
			return err
		})
	a.result.Tags = found
	return err
}

func (a *analysis) tools() error {
	return a.runOver("unnest(tool_names) AS tool, latency_ms",
		"tool, count(*), avg(latency_ms), min(latency_ms), max(latency_ms)",
		" GROUP BY tool ORDER BY 2 DESC, 1 LIMIT "+strconv.Itoa(reqlog.TopRows),
		func(rows *sql.Rows) error {
			var t reqlog.ToolStats
			err := rows.Scan(&t.Name, &t.Requests, (*seconds)(&t.Avg), (*seconds)(&t.Min), (*seconds)(&t.Max))
			a.result.Tools = append(a.result.Tools, t)
			return err
		})
}

// keys ranks the elements of a list column.
func (a *analysis) keys(column string, into *[]reqlog.NamedCount) error {
	return a.runOver("unnest("+column+") AS key", "key, count(*)",
		" GROUP BY key ORDER BY 2 DESC, 1 LIMIT "+strconv.Itoa(reqlog.TopRows),
		func(rows *sql.Rows) error {
			var n reqlog.NamedCount
			err := rows.Scan(&n.Name, &n.Requests)
			*into = append(*into, n)
			return err
		})
}

func (a *analysis) metadataValues(key string) error {
	q := newQuery()
	q.write("SELECT pair, count(*), coalesce(sum(price), 0) FROM (SELECT unnest(metadata_pairs) AS pair, price FROM log WHERE ")
	a.where(q)
	q.write(")")
	if key != "" {
		q.write(" WHERE starts_with(pair, ", q.bind(document.PairText(key, "")), ")")
	}
	q.write(" GROUP BY pair ORDER BY 3 DESC, 2 DESC, 1 LIMIT ", strconv.Itoa(reqlog.TopRows))
	return q.rows(a.ctx, a.db, func(rows *sql.Rows) error {
		var pair string
		var v reqlog.ValueBreakdown
		if err := rows.Scan(&pair, &v.Requests, &v.Cost); err != nil {
			return err
		}
		v.Key, v.Value = document.SplitPair(pair)
		a.result.MetadataValues = append(a.result.MetadataValues, v)
		return nil
	})
}
