SELECT trace_run_by_user_id AS id, min(start_time), max(greatest(start_time, trace_end)), count(*), sum(trace_span_count)::BIGINT, sum(trace_requests)::BIGINT, sum(trace_errors)::BIGINT, sum(trace_total_cost_usd), sum(trace_total_tokens)::BIGINT, sum(trace_input_tokens)::BIGINT, sum(trace_output_tokens)::BIGINT, count(DISTINCT trace_session_id), count(DISTINCT trace_run_by_user_id), coalesce(min(trace_run_by_user_id), '')
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, count(*) FILTER (s.status = 'ERROR') AS trace_errors, any_value(sums.input_tokens) AS trace_input_tokens, any_value(sums.output_tokens) AS trace_output_tokens, coalesce(any_value(sums.requests), 0) AS trace_requests, arg_min(s.user_id, row(s.start_time, s.key & 9007199254740991)) AS trace_run_by_user_id, arg_min(s.session_id, row(s.start_time, s.key & 9007199254740991)) AS trace_session_id, count(*) AS trace_span_count, any_value(sums.price) AS trace_total_cost_usd, any_value(sums.total_tokens) AS trace_total_tokens
FROM span AS s LEFT JOIN (SELECT logged.trace_key, count(*) AS requests, sum(price) AS price, sum(total_tokens)::BIGINT AS total_tokens, sum(input_tokens)::BIGINT AS input_tokens, sum(output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span
WHERE span.workspace = $1 AND span.trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3))) AS logged JOIN log ON log.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key
WHERE s.workspace = $1 AND s.trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3))
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IN ($2, $3) AND TRUE AND trace_key IN (SELECT trace_key
FROM span
WHERE span.workspace = $1 AND span.trace_key IN (SELECT trace_key
FROM span
WHERE workspace = $1 AND user_id IN ($2, $3)) AND log_key IN (SELECT span_key
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL AND id IN (0,1)))
GROUP BY id
