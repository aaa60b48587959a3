SELECT workspace, trace_id, closed_at
FROM closure
WHERE key > $1 AND workspace = $2
ORDER BY key
LIMIT $3
