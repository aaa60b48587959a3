SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, any_value(s.trace_id) AS trace_id, min(s.start_time) AS trace_start
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s
GROUP BY s.trace_key)
WHERE TRUE
ORDER BY trace_start DESC NULLS LAST, trace_id DESC
LIMIT $2 OFFSET $3
