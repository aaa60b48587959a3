SELECT key, workspace, trace_id, span_id, block, slot
FROM span
WHERE (block > $1 OR block = $1 AND slot > $2) AND workspace = $3
ORDER BY block, slot
LIMIT $4
