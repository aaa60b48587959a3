SELECT count(*)
FROM log
WHERE workspace = {p1:Int64}
	AND (NOT texts_deleted AND id IN (SELECT id
FROM log
WHERE workspace = {p3:Int64}
	AND (hasAny(words, {p2:Array(String)})) SETTINGS apply_patch_parts = 0))
	AND (engine = {p4:String})
