SELECT pair, count(*) AS requests, coalesce(sum(price), 0) AS cost
FROM (SELECT unnest(metadata_pairs) AS pair, price
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
WHERE starts_with(pair, $4)
GROUP BY pair
ORDER BY cost DESC, requests DESC, pair
LIMIT 50
