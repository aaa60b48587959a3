SELECT d0, count(*)::DOUBLE AS m0, avg(span_cost_usd)::DOUBLE AS m1
FROM (SELECT *, nullif(span_tool_name, '') AS d0
FROM (SELECT *
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, l.price AS span_cost_usd, s.tool_name AS span_tool_name
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s LEFT JOIN (SELECT id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs, output_keys, output_pairs
FROM log
WHERE id IN (SELECT min(id)
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL
GROUP BY span_key)) AS l ON l.span_key = s.log_key)
WHERE trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, CASE WHEN count(*) FILTER (s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s
GROUP BY s.trace_key)
WHERE ((trace_status = $2) OR trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, s.name AS span_name
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s)
WHERE (NOT coalesce(span_name = $3, FALSE)))))))
WHERE d0 IS NOT NULL
GROUP BY d0
ORDER BY m0 DESC NULLS LAST, d0
LIMIT 100000
