SELECT value
FROM (SELECT engine::VARCHAR AS value
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
WHERE value <> ''
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 100
