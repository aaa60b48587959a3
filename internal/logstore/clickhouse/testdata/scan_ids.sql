SELECT id, length(input) + length(output) + length(parameters)
FROM log
WHERE workspace = {p1:Int64}
	AND (engine = {p2:String}) AND id > {p3:Int64} AND id <= {p4:Int64}
ORDER BY id
LIMIT {p5:Int64}
