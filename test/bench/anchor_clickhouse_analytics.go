package main

import "strings"

const houseDay = "intDiv(start_time, 86400000000) AS bucket"

// houseAnalytics are the passes of duckAnchor.analyze. (WHERE) stands for the
// condition.
var houseAnalytics = []string{`
SELECT grouping(bucket, engine, provider, prompt_id, error_type),
	bucket, engine, provider, prompt_id, error_type,
	count(), sum(price), sum(input_tokens), sum(output_tokens), sum(cached_tokens), sum(thinking_tokens), avg(latency_ms),
	countIf(status = 'SUCCESS'), countIf(status = 'WARNING'), countIf(status = 'ERROR'),
	countIf(is_json), countIf(is_tool_call), avg(turns), avg(tool_calls)
FROM (SELECT ` + houseDay + `, * FROM bare.log WHERE (WHERE))
GROUP BY GROUPING SETS ((), (bucket), (engine), (provider), (prompt_id), (error_type))`, `
SELECT bucket, engine, provider, count(), avg(latency_ms), quantilesExactInclusive(0.5, 0.9, 0.95)(latency_ms)
FROM (SELECT ` + houseDay + `, engine, provider, latency_ms FROM bare.log WHERE (WHERE))
GROUP BY GROUPING SETS ((bucket), (bucket, engine), (bucket, provider))`, `
SELECT ` + houseDay + `, prompt_id, count(), avg(latency_ms), quantilesExactInclusive(0.5, 0.9, 0.95)(latency_ms)
FROM bare.log WHERE prompt_id IS NOT NULL AND (WHERE)
GROUP BY ALL`, `
SELECT ` + houseDay + `, quantileExactInclusive(0.95)(tool_calls)
FROM bare.log WHERE (WHERE)
GROUP BY bucket`, `
SELECT tag, count() AS n, sum(price) AS cost, sum(input_tokens), sum(output_tokens)
FROM (SELECT arrayJoin(tags) AS tag, price, input_tokens, output_tokens FROM bare.log WHERE (WHERE))
GROUP BY tag
ORDER BY cost DESC, n DESC, tag
LIMIT 50`, `
SELECT key, count() AS n
FROM (SELECT arrayJoin(metadata_keys) AS key FROM bare.log WHERE (WHERE))
GROUP BY key
ORDER BY n DESC, key
LIMIT 50`, `
SELECT key, value, count() AS n, sum(price) AS cost
FROM (SELECT metadata_keys, metadata_values, price FROM bare.log WHERE (WHERE))
ARRAY JOIN metadata_keys AS key, metadata_values AS value
GROUP BY key, value
ORDER BY cost DESC, n DESC, key, value
LIMIT 50`, `
SELECT key, count() AS n
FROM (SELECT arrayJoin(output_keys) AS key FROM bare.log WHERE (WHERE))
GROUP BY key
ORDER BY n DESC, key
LIMIT 50`, `
SELECT tool, count() AS n, avg(latency_ms), min(latency_ms), max(latency_ms)
FROM (SELECT arrayJoin(tool_names) AS tool, latency_ms FROM bare.log WHERE is_tool_call AND (WHERE))
GROUP BY tool
ORDER BY n DESC, tool
LIMIT 50`}

// analyze computes what duckAnchor.analyze computes.
func (a *houseAnchor) analyze(where string) error {
	for _, pass := range houseAnalytics {
		if _, err := a.run(strings.ReplaceAll(pass, "(WHERE)", "("+dialect.Replace(where)+")"), nil); err != nil {
			return err
		}
	}
	return nil
}
