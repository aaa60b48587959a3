SELECT d0, d1, count(*)::DOUBLE AS m0
FROM (SELECT *, CASE WHEN list_contains(score_names, $1) THEN nullif(substr(score_pairs[list_position(score_names, $2)], 10), '')::BIGINT END AS d1
FROM (SELECT *, floor(CASE WHEN list_contains(score_names, $3) THEN nullif(substr(score_pairs[list_position(score_names, $4)], 10), '')::BIGINT END / 10::DOUBLE) * 10::DOUBLE AS d0
FROM (SELECT latency_ms, score_names, score_pairs
FROM log
WHERE workspace = $5 AND id <= $6
	AND (engine = $7))))
WHERE d0 IS NOT NULL AND d1 IS NOT NULL AND d1::VARCHAR IN ($8, $9)
GROUP BY d0, d1
ORDER BY m0 DESC NULLS LAST, d0, d1
LIMIT 100000
