SELECT id
FROM log
WHERE id > $1 AND id <= $2
ORDER BY id
LIMIT $3
