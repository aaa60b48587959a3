SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, any_value(s.trace_id) AS trace_id, min(s.start_time) AS trace_start
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s
GROUP BY s.trace_key)
WHERE TRUE AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND log_key IN (SELECT span_key
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0
	AND (position(input_text, {p2:String}) > 0 OR position(output_text, {p2:String}) > 0)))
ORDER BY trace_start DESC NULLS LAST, trace_id DESC
LIMIT {p3:Int64} OFFSET {p4:Int64}
