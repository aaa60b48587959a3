SELECT max(id), start_time - positiveModulo(start_time - toInt64(0), toInt64(86400000000)) AS bucket, count(*), coalesce(sum(price), 0), coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT, coalesce(sum(cached_tokens), 0)::BIGINT, coalesce(sum(thinking_tokens), 0)::BIGINT, countIf(status = 'SUCCESS'), countIf(status = 'WARNING'), countIf(status = 'ERROR'), countIf(is_json), countIf(is_tool_call), avg(turns), avg(tool_calls), quantileExactInclusiveOrNull(0.95)(toFloat64(tool_calls)), avg(latency_ms), quantilesExactInclusive(0.5, 0.9, 0.95)(latency_ms)
FROM log
WHERE workspace = {p1:Int64}
	AND (engine = {p2:String})
GROUP BY bucket
ORDER BY bucket
