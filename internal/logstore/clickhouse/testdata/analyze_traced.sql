SELECT start_time - positiveModulo(start_time - toInt64(0), toInt64(86400000000)) AS bucket, count(*)
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}) AND span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p4:Int64})
GROUP BY bucket
