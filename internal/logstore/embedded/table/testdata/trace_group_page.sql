WITH grouped AS MATERIALIZED (SELECT trace_session_id AS id, max(greatest(start_time, trace_end)) AS sort
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, arg_min(s.session_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.session_id IS NOT NULL) AS trace_session_id, CASE WHEN count(*) FILTER (s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s
GROUP BY s.trace_key)
WHERE trace_session_id IS NOT NULL
	AND ((trace_status = $2) OR trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, s.name AS span_name
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s)
WHERE (NOT coalesce(span_name = $3, FALSE))))
GROUP BY id) SELECT total.groups, id
FROM (SELECT count(*) AS groups
FROM grouped) AS total LEFT JOIN (SELECT id, sort
FROM grouped
ORDER BY sort DESC NULLS LAST, id DESC
LIMIT $4 OFFSET $5) AS page ON TRUE
ORDER BY sort DESC NULLS LAST, id DESC
