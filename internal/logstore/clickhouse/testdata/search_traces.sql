SELECT log_key, min(trace_id)
FROM span FINAL
WHERE workspace = {p1:Int64} AND log_key IN {p2:Array(Int64)}
GROUP BY log_key
