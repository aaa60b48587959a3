SELECT workspace, trace_id, min(closed_at)
FROM closure
WHERE key > {p1:Int64}
GROUP BY key, workspace, trace_id
ORDER BY key
LIMIT {p2:Int64}
