SELECT value
FROM (SELECT element AS value
FROM (SELECT unnest(tags) AS element
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3)))
WHERE value <> '' AND starts_with(lower(value), lower($4))
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 100
