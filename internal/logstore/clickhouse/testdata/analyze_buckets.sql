SELECT max(id), start_time - positiveModulo(start_time - toInt64(0), toInt64(86400000000)) AS bucket, count(), ifNull(sum(price), 0), ifNull(sum(input_tokens), 0), ifNull(sum(output_tokens), 0), ifNull(sum(cached_tokens), 0), ifNull(sum(thinking_tokens), 0),
		countIf(status = 'SUCCESS'), countIf(status = 'WARNING'), countIf(status = 'ERROR'), countIf(is_json), countIf(is_tool_call),
		avg(turns), avg(tool_calls), quantileExactInclusive(0.95)(tool_calls), avg(latency_ms), quantilesExactInclusive(0.5, 0.9, 0.95)(latency_ms)
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String})
GROUP BY bucket
ORDER BY bucket
