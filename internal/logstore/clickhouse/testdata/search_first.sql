SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p3:Int64} AND NOT texts_deleted
	AND (start_time, id) IN (SELECT start_time, id
FROM log
WHERE workspace = {p2:Int64}
	AND (hasAny(words, {p1:Array(String)}))
ORDER BY start_time DESC NULLS LAST, id DESC
LIMIT 10 SETTINGS apply_patch_parts = 0)
ORDER BY start_time DESC NULLS LAST, id DESC
