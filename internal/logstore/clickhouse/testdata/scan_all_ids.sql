SELECT id, length(input) + length(output) + length(parameters)
FROM log
WHERE id > {p1:Int64} AND id <= {p2:Int64}
ORDER BY id
LIMIT {p3:Int64}
