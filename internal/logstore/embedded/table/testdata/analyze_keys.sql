SELECT key, count(*)
FROM (SELECT unnest(metadata_keys) AS key
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY key
ORDER BY 2 DESC, 1
LIMIT 50
