SELECT d0, d1, d2, count(*)::DOUBLE AS m0
FROM (SELECT *, unnest(list_transform(list_filter(metadata_pairs, x -> starts_with(x, $1)), x -> substr(x, 10))) AS d2
FROM (SELECT *, unnest(tags) AS d1
FROM (SELECT *, nullif(engine, '') AS d0
FROM (SELECT engine, latency_ms, metadata_pairs, tags
FROM log
WHERE workspace = $2 AND id <= $3
	AND (engine = $4)))))
WHERE d0 IS NOT NULL AND d0::VARCHAR IN ($5, $6) AND d1 IS NOT NULL AND d2 IS NOT NULL
GROUP BY d0, d1, d2
ORDER BY m0 DESC NULLS LAST, d0, d1, d2
LIMIT 25
