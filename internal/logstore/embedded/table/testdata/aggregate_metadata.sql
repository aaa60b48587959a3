SELECT d0, d1, count(*)::DOUBLE AS m0
FROM (SELECT *, prompt_version AS d1
FROM (SELECT *, unnest(list_transform(list_filter(metadata_pairs, x -> starts_with(x, $1)), x -> substr(x, 10))) AS d0
FROM (SELECT latency_ms, metadata_pairs, prompt_version
FROM log
WHERE workspace = $2 AND id <= $3
	AND (engine = $4))))
WHERE d0 IS NOT NULL AND d1 IS NOT NULL AND d1::VARCHAR IN ($5, $6)
GROUP BY d0, d1
ORDER BY m0 DESC NULLS LAST, d0, d1
LIMIT 100000
