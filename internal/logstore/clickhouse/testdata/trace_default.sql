SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, any_value(s.trace_id) AS trace_id, min(s.start_time) AS trace_start
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s
GROUP BY s.trace_key)
WHERE TRUE
ORDER BY trace_start DESC NULLS LAST, trace_id DESC
LIMIT {p2:Int64} OFFSET {p3:Int64}
