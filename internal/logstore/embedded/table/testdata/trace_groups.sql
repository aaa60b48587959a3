SELECT trace_run_by_user_id AS id, min(start_time), max(greatest(start_time, trace_end)), count(*), sum(trace_span_count)::BIGINT, sum(trace_requests)::BIGINT, sum(trace_errors)::BIGINT, sum(trace_total_cost_usd), sum(trace_total_tokens)::BIGINT, sum(trace_input_tokens)::BIGINT, sum(trace_output_tokens)::BIGINT, count(DISTINCT trace_session_id), count(DISTINCT trace_run_by_user_id), coalesce(min(trace_run_by_user_id), '')
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, count(*) FILTER (s.status = 'ERROR') AS trace_errors, any_value(sums.input_tokens) AS trace_input_tokens, any_value(sums.output_tokens) AS trace_output_tokens, coalesce(any_value(sums.requests), 0) AS trace_requests, arg_min(s.user_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.user_id IS NOT NULL) AS trace_run_by_user_id, arg_min(s.session_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.session_id IS NOT NULL) AS trace_session_id, count(*) AS trace_span_count, any_value(sums.price) AS trace_total_cost_usd, any_value(sums.total_tokens) AS trace_total_tokens
FROM (SELECT *
FROM span
WHERE workspace = $1 AND trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3))) AS s LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span
WHERE workspace = $1 AND trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3))) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL AND span_key IN (SELECT log_key
FROM span
WHERE workspace = $1 AND trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3)))) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IN ($2, $3) AND TRUE AND trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3)) AND log_key IN (SELECT span_key
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL AND span_key IN (SELECT log_key
FROM span
WHERE workspace = $1 AND trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3))) AND id IN (0,1)))
GROUP BY id
