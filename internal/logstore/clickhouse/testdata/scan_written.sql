SELECT workspace, trace_key, key, written, size
FROM span
WHERE workspace = {p1:Int64}
	AND (written, key) > ({p2:Int64}, {p3:Int64})
ORDER BY written, key
LIMIT {p4:Int64}
