SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p1:Int64}
	AND (hasAny(words, {p2:Array(String)}))
	AND (engine = {p3:String})
ORDER BY (hasAny(words, {p4:Array(String)})) DESC, start_time DESC NULLS LAST, id DESC
LIMIT 0 OFFSET -1
