SELECT trace_key, trace_id, trace_name, trace_status, trace_start, trace_end, trace_total_cost_usd, trace_total_tokens, trace_input_tokens, trace_output_tokens, trace_span_count, trace_errors, trace_models_used, trace_tool_names, coalesce(trace_run_by_user_id, ''), coalesce(trace_session_id, ''), trace_key IN (SELECT trace_key
FROM closure
WHERE trace_key IN (5,6))
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, count(*) FILTER (s.status = 'ERROR') AS trace_errors, any_value(s.trace_id) AS trace_id, any_value(sums.input_tokens) AS trace_input_tokens, coalesce(list(DISTINCT coalesce(nullif(l.engine, ''), s.model)
ORDER BY coalesce(nullif(l.engine, ''), s.model)) FILTER (coalesce(nullif(l.engine, ''), s.model) IS NOT NULL), []) AS trace_models_used, arg_min(s.name, row(s.parent_id IS NOT NULL, s.start_time, s.key & 9007199254740991)) FILTER (s.name IS NOT NULL) AS trace_name, any_value(sums.output_tokens) AS trace_output_tokens, arg_min(s.user_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.user_id IS NOT NULL) AS trace_run_by_user_id, arg_min(s.session_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.session_id IS NOT NULL) AS trace_session_id, count(*) AS trace_span_count, min(s.start_time) AS trace_start, CASE WHEN count(*) FILTER (s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status, coalesce(list(DISTINCT s.tool_name
ORDER BY s.tool_name) FILTER (s.tool_name IS NOT NULL), []) AS trace_tool_names, any_value(sums.price) AS trace_total_cost_usd, any_value(sums.total_tokens) AS trace_total_tokens
FROM (SELECT *
FROM span
WHERE workspace = $1 AND trace_key IN (5,6)) AS s LEFT JOIN (SELECT id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs, output_keys, output_pairs
FROM log
WHERE id IN (SELECT min(id)
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL AND span_key IN (SELECT log_key
FROM span
WHERE workspace = $1 AND trace_key IN (5,6))
GROUP BY span_key)) AS l ON l.span_key = s.log_key LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span
WHERE workspace = $1 AND trace_key IN (5,6)) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL AND span_key IN (SELECT log_key
FROM span
WHERE workspace = $1 AND trace_key IN (5,6))) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key
GROUP BY s.trace_key)
