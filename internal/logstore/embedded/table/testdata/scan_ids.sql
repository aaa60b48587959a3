SELECT id
FROM log
WHERE workspace = $1 AND id <= $2 AND id > $3
	AND (engine = $4)
ORDER BY id
LIMIT $5
