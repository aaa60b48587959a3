SELECT grouping(g0, g1, g2), coalesce(g0, g1, g2::VARCHAR), bucket, count(*), avg(latency_ms), quantile_cont(latency_ms, [0.5, 0.9, 0.95])
FROM (SELECT coalesce(nullif(engine, ''), 'unknown') AS g0, provider AS g1, prompt_id AS g2, error_type AS g3, latency_ms, start_time - (start_time + 1152921427200000000) % 86400000000 AS bucket
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY GROUPING SETS ((bucket, g0), (bucket, g1), (bucket, g2))
ORDER BY bucket
