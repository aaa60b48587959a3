SELECT id, start_time AS value
FROM log
WHERE workspace = $1 AND id <= $2
ORDER BY value DESC NULLS LAST, id DESC
