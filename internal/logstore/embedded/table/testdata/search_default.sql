SELECT id
FROM log
WHERE workspace = $1 AND id <= $2
ORDER BY start_time DESC NULLS LAST, id DESC
