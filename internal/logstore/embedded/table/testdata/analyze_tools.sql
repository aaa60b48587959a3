SELECT tool, count(*), avg(latency_ms), min(latency_ms), max(latency_ms)
FROM (SELECT unnest(tool_names) AS tool, latency_ms
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY tool
ORDER BY 2 DESC, 1
LIMIT 50
