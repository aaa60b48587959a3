SELECT span_id, parent_id, name, status, start_time, end_time, type, tool_name, log_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key = {p2:Int64}
ORDER BY start_time, bitAnd(key, 9007199254740991)
LIMIT {p3:Int64}
