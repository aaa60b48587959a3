SELECT start_time - (start_time + 1152921427200000000) % 86400000000 AS bucket, count(*), coalesce(sum(price), 0), coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT, coalesce(sum(cached_tokens), 0)::BIGINT, coalesce(sum(thinking_tokens), 0)::BIGINT, count(*) FILTER (status = 'SUCCESS'), count(*) FILTER (status = 'WARNING'), count(*) FILTER (status = 'ERROR'), count(*) FILTER (is_json), count(*) FILTER (is_tool_call), avg(turns), avg(tool_calls), quantile_cont(tool_calls, 0.95), avg(latency_ms), quantile_cont(latency_ms, [0.5, 0.9, 0.95])
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3)
GROUP BY bucket
ORDER BY bucket
