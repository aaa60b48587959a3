SELECT value
FROM (SELECT substr(element, 10) AS value
FROM (SELECT unnest(metadata_pairs) AS element
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
WHERE starts_with(element, $4))
WHERE value <> '' AND starts_with(lower(value), lower($5))
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 100
