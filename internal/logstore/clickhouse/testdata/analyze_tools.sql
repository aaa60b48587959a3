SELECT tool, count(*) AS requests, avg(latency_ms), min(latency_ms), max(latency_ms)
FROM (SELECT arrayJoin(tool_names) AS tool, latency_ms
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY tool
ORDER BY requests DESC, tool
LIMIT 50
