SELECT pair, count(*) AS requests, coalesce(sum(price), 0) AS cost
FROM (SELECT arrayJoin(metadata_pairs) AS pair, price
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
WHERE startsWith(pair, {p4:String})
GROUP BY pair
ORDER BY cost DESC, requests DESC, pair
LIMIT 50
