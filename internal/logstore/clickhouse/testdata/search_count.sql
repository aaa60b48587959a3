SELECT count()
FROM log
WHERE workspace = {p1:Int64}
	AND (hasAny(words, {p2:Array(String)}))
	AND (engine = {p3:String})
