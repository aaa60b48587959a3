SELECT tool, count() AS requests, avg(latency_ms) / 1000, min(latency_ms) / 1000, max(latency_ms) / 1000
FROM (SELECT toString(arrayJoin(tool_names)) AS tool, latency_ms
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY tool
ORDER BY requests DESC, tool
LIMIT 50
