SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, any_value(s.trace_id) AS trace_id, min(s.start_time) AS trace_start, CASE WHEN count(*) FILTER (s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s
GROUP BY s.trace_key)
WHERE ((trace_status = $2) OR trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, s.name AS span_name
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s)
WHERE (NOT coalesce(span_name = $3, FALSE))))
ORDER BY trace_start DESC NULLS LAST, trace_id DESC
LIMIT $4 OFFSET $5
