package main

import (
	"fmt"
	"time"
)

// analyze computes everything in the analytics response, in five passes.
func (a *duckAnchor) analyze(where string) (facts, error) {
	f := facts{}
	for _, pass := range []func(string, facts) error{a.sums, a.percentiles, a.tags, a.metadata, a.outputs} {
		if err := pass(where, f); err != nil {
			return nil, err
		}
	}
	return f, nil
}

const dayBucket = "start_time // 86400000000"

func (a *duckAnchor) query(query string) ([][]any, error) {
	rows, err := a.db.Query(query)
	if err != nil {
		return nil, fmt.Errorf("analyze in DuckDB: %w", err)
	}
	return readAll(rows)
}

// The grouping IDs of sums: a set bit means that the column is not grouped by.
const (
	totalSet    = 0b11111
	bucketSet   = 0b01111
	modelSet    = 0b10111
	providerSet = 0b11011
	errorSet    = 0b11110
)

// sums adds up the totals, days, models, providers, prompts and error types.
func (a *duckAnchor) sums(where string, f facts) error {
	rows, err := a.query(`
SELECT grouping_id(bucket, engine, provider, prompt_id, error_type),
	bucket, engine, provider, prompt_id, error_type,
	count(*), sum(price), sum(input_tokens)::BIGINT, sum(output_tokens)::BIGINT,
	sum(cached_tokens)::BIGINT, sum(thinking_tokens)::BIGINT, avg(latency_ms),
	count(*) FILTER (status = 'SUCCESS'), count(*) FILTER (status = 'WARNING'), count(*) FILTER (status = 'ERROR'),
	count(*) FILTER (is_json), count(*) FILTER (is_tool_call), avg(turns), avg(tool_calls)
FROM (SELECT ` + dayBucket + ` AS bucket, * FROM log WHERE ` + where + `)
GROUP BY GROUPING SETS ((), (bucket), (engine), (provider), (prompt_id), (error_type))`)
	if err != nil {
		return err
	}
	for _, r := range rows {
		requests, cost, tokens := number(r[6]), number(r[7]), number(r[8])+number(r[9])
		switch r[0].(int64) {
		case totalSet:
			f["requests"], f["cost"], f["tokens"], f["latency"] = requests, cost, tokens, number(r[12])/1000
		case bucketSet:
			date := dateOf(r[1])
			f.bucket(date, requests, cost, tokens, number(r[18]), 0)
			for i, status := range []string{"SUCCESS", "WARNING", "ERROR"} {
				if n := number(r[13+i]); n > 0 {
					f[date+" "+status] = n
				}
			}
			f.shapes(date, number(r[16]), number(r[17]), requests-number(r[16])-number(r[17]))
		case modelSet:
			f["model "+r[2].(string)] = requests
		case providerSet:
			f.named("provider", namedFact{Provider: r[3].(string), Requests: requests, Cost: cost})
		case errorSet:
			if r[5] != nil {
				f.named("error", namedFact{ErrorType: r[5].(string), Requests: requests})
			}
		}
	}
	return nil
}

// percentiles computes latencies per day, per day and model, per day and
// provider, and per day and prompt.
func (a *duckAnchor) percentiles(where string, f facts) error {
	rows, err := a.query(`
SELECT bucket, engine, provider, count(*), avg(latency_ms), quantile_cont(latency_ms, [0.5, 0.9, 0.95])
FROM (SELECT ` + dayBucket + ` AS bucket, engine, provider, latency_ms FROM log WHERE ` + where + `)
GROUP BY GROUPING SETS ((bucket), (bucket, engine), (bucket, provider))`)
	if err != nil {
		return err
	}
	for _, r := range rows {
		date, quantiles := dateOf(r[0]), r[5].([]any)
		switch {
		case r[1] != nil:
			f[fmt.Sprintf("p50 %s %s", r[1], date)] = number(quantiles[0]) / 1000
			f[fmt.Sprintf("requests %s %s", r[1], date)] = number(r[3])
		case r[2] != nil:
			f[fmt.Sprintf("p90 %s %s", r[2], date)] = number(quantiles[1]) / 1000
		default:
			f["p95 "+date] = number(quantiles[2]) / 1000
		}
	}
	if _, err = a.query(`
SELECT ` + dayBucket + ` AS bucket, prompt_id, count(*), avg(latency_ms), quantile_cont(latency_ms, [0.5, 0.9, 0.95])
FROM log WHERE prompt_id IS NOT NULL AND (` + where + `)
GROUP BY ALL`); err != nil {
		return err
	}
	rows, err = a.query(`
SELECT ` + dayBucket + ` AS bucket, quantile_cont(tool_calls, 0.95)
FROM log WHERE ` + where + `
GROUP BY bucket`)
	for _, r := range rows {
		f[dateOf(r[0])+" tool calls"] = number(r[1])
	}
	return err
}

func (a *duckAnchor) tags(where string, f facts) error {
	rows, err := a.query(`
SELECT tag, count(*) AS n, sum(price) AS cost, sum(input_tokens)::BIGINT, sum(output_tokens)::BIGINT
FROM (SELECT unnest(tags) AS tag, price, input_tokens, output_tokens FROM log WHERE ` + where + `)
GROUP BY tag
ORDER BY cost DESC, n DESC, tag
LIMIT 50`)
	for _, r := range rows {
		f.named("tag", namedFact{Tag: r[0].(string), Requests: number(r[1]), Cost: number(r[2])})
	}
	return err
}

func (a *duckAnchor) metadata(where string, f facts) error {
	rows, err := a.query(`
WITH kv AS MATERIALIZED (
	SELECT key, value, count(*) AS n, sum(price) AS cost
	FROM (SELECT unnest(metadata_keys) AS key, unnest(metadata_values) AS value, price FROM log WHERE ` + where + `)
	GROUP BY key, value
)
(SELECT key, NULL AS value, sum(n)::BIGINT AS n, 0 AS cost FROM kv GROUP BY key ORDER BY n DESC, key LIMIT 50)
UNION ALL
(SELECT key, value, n, cost FROM kv ORDER BY cost DESC, n DESC, key, value LIMIT 50)`)
	for _, r := range rows {
		list, fact := "metadata", namedFact{Key: r[0].(string), Requests: number(r[2]), Cost: number(r[3])}
		if r[1] != nil {
			list, fact.Value = "value", r[1].(string)
		}
		f.named(list, fact)
	}
	return err
}

// outputs ranks the keys of outputs and the tools that were called.
func (a *duckAnchor) outputs(where string, f facts) error {
	rows, err := a.query(`
SELECT key, count(*) AS n
FROM (SELECT unnest(output_keys) AS key FROM log WHERE ` + where + `)
GROUP BY key
ORDER BY n DESC, key
LIMIT 50`)
	if err != nil {
		return err
	}
	for _, r := range rows {
		f.named("output", namedFact{Key: r[0].(string), Requests: number(r[1])})
	}
	rows, err = a.query(`
SELECT tool, count(*) AS n, avg(latency_ms), min(latency_ms), max(latency_ms)
FROM (SELECT unnest(tool_names) AS tool, latency_ms FROM log WHERE is_tool_call AND (` + where + `))
GROUP BY tool
ORDER BY n DESC, tool
LIMIT 50`)
	for _, r := range rows {
		f.named("tool", namedFact{ToolName: r[0].(string), Requests: number(r[1]), MaxLatencySeconds: number(r[4]) / 1000})
	}
	return err
}

func dateOf(bucket any) string {
	return time.Unix(int64(number(bucket))*86400, 0).UTC().Format(time.DateOnly)
}

func number(v any) float64 {
	switch n := v.(type) {
	case int64:
		return float64(n)
	case int32:
		return float64(n)
	case float64:
		return n
	}
	return 0
}
