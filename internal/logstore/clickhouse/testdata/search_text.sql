SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p1:Int64}
	AND (NOT texts_deleted AND id IN (SELECT id
FROM log
WHERE workspace = {p3:Int64}
	AND (hasAny(words, {p2:Array(String)})) SETTINGS apply_patch_parts = 0))
	AND (engine = {p4:String})
ORDER BY (NOT texts_deleted AND id IN (SELECT id
FROM log
WHERE workspace = {p6:Int64}
	AND (hasAny(words, {p5:Array(String)})) SETTINGS apply_patch_parts = 0)) DESC, start_time DESC NULLS LAST, id DESC
LIMIT 0 OFFSET -1
