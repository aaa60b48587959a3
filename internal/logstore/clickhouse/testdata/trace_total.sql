SELECT count()
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key = {p2:Int64}
