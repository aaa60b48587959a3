SELECT assumeNotNull(trace_run_by_user_id), min(start_time), max(greatest(start_time, trace_end)), count(), sum(trace_span_count), sum(trace_requests), sum(trace_errors), sum(trace_total_cost_usd), sum(trace_total_tokens), sum(trace_input_tokens), sum(trace_output_tokens), uniqExact(trace_session_id), uniqExact(trace_run_by_user_id), ifNull(min(trace_run_by_user_id), '')
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, toInt64(countIf(s.status = 'ERROR')) AS trace_errors, any(sums.input_tokens) AS trace_input_tokens, any(sums.output_tokens) AS trace_output_tokens, toInt64(ifNull(any(sums.requests), 0)) AS trace_requests, argMin(s.user_id, (s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_run_by_user_id, argMin(s.session_id, (s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_session_id, toInt64(count()) AS trace_span_count, any(sums.price) AS trace_total_cost_usd, any(sums.total_tokens) AS trace_total_tokens
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)})) AS s LEFT JOIN (SELECT logged.trace_key AS trace_key, count() AS requests, sum(logs.price) AS price, sum(logs.total_tokens) AS total_tokens, sum(logs.input_tokens) AS input_tokens, sum(logs.output_tokens) AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)})) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)}))) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IN {p2:Array(String)} AND TRUE AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND log_key IN (SELECT span_key
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)}))
	AND (position(input_text, {p3:String}) > 0 OR position(output_text, {p3:String}) > 0)))
GROUP BY trace_run_by_user_id
