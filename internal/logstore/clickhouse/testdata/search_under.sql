SELECT count(*)
FROM log
WHERE workspace = {p1:Int64}
	AND (arrayCount(x -> x = {p2:String} OR startsWith(x, {p3:String}), metadata_keys) > 0)
