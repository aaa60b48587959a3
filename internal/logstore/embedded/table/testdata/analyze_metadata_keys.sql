SELECT key, count(*) AS requests
FROM (SELECT unnest(metadata_keys) AS key
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY key
ORDER BY requests DESC, key
LIMIT 50
