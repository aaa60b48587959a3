SELECT d0, d1, d2, count(*)::DOUBLE AS m0
FROM (SELECT *, arrayJoin(arrayMap(x -> substring(x, 10), arrayFilter(x -> startsWith(x, {p1:String}), metadata_pairs))) AS d2
FROM (SELECT *, arrayJoin(tags) AS d1
FROM (SELECT *, nullif(engine, '') AS d0
FROM (SELECT engine, latency_ms, metadata_pairs, tags
FROM log
WHERE workspace = {p2:Int64}
	AND (engine = {p3:String})))))
WHERE d0 IS NOT NULL AND d0::VARCHAR IN {p4:Array(String)} AND d1 IS NOT NULL AND d2 IS NOT NULL
GROUP BY d0, d1, d2
ORDER BY m0 DESC NULLS LAST, d0, d1, d2
LIMIT 25
