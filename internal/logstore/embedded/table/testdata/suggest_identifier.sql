SELECT value
FROM (SELECT prompt_id::VARCHAR AS value
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
WHERE value <> '' AND starts_with(lower(value), lower($4))
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 100
