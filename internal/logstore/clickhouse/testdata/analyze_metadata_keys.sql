SELECT key, count(*) AS requests
FROM (SELECT arrayJoin(metadata_keys) AS key
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY key
ORDER BY requests DESC, key
LIMIT 50
