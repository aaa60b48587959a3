SELECT grouping(g0, g1, g2), coalesce(g0, g1, g2::VARCHAR), bucket, count(*), avg(latency_ms), quantilesExactInclusive(0.5, 0.9, 0.95)(latency_ms)
FROM (SELECT coalesce(nullif(engine, ''), 'unknown') AS g0, provider AS g1, prompt_id AS g2, error_type AS g3, latency_ms, start_time - positiveModulo(start_time - toInt64(0), toInt64(86400000000)) AS bucket
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY GROUPING SETS ((bucket, g0), (bucket, g1), (bucket, g2))
ORDER BY bucket
