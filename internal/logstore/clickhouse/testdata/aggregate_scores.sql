SELECT d0, d1, count(*)::DOUBLE AS m0
FROM (SELECT *, CASE WHEN hasAny(score_names, [{p1:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p2:String})], 10), '')::BIGINT END AS d1
FROM (SELECT *, floor(CASE WHEN hasAny(score_names, [{p3:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p4:String})], 10), '')::BIGINT END / 10::DOUBLE) * 10::DOUBLE AS d0
FROM (SELECT latency_ms, score_names, score_pairs
FROM log
WHERE workspace = {p5:Int64}
	AND (engine = {p6:String}))))
WHERE d0 IS NOT NULL AND d1 IS NOT NULL AND d1::VARCHAR IN {p7:Array(String)}
GROUP BY d0, d1
ORDER BY m0 DESC NULLS LAST, d0, d1
LIMIT 100000
