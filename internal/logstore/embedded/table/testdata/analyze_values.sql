SELECT pair, count(*), coalesce(sum(price), 0)
FROM (SELECT unnest(metadata_pairs) AS pair, price
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
WHERE starts_with(pair, $4)
GROUP BY pair
ORDER BY 3 DESC, 2 DESC, 1
LIMIT 50
