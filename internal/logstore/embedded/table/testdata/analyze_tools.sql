SELECT tool, count(*) AS requests, avg(latency_ms), min(latency_ms), max(latency_ms)
FROM (SELECT unnest(tool_names) AS tool, latency_ms
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY tool
ORDER BY requests DESC, tool
LIMIT 50
