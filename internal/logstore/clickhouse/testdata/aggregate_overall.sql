SELECT CAST(count(), 'Nullable(Float64)') AS m0, CAST(ifNull(sumOrNull(toFloat64(latency_ms)), 0), 'Nullable(Float64)') AS m1, CAST(avgOrNull(toFloat64(latency_ms)), 'Nullable(Float64)') AS m2, CAST(minOrNull(toFloat64(latency_ms)), 'Nullable(Float64)') AS m3, CAST(maxOrNull(toFloat64(latency_ms)), 'Nullable(Float64)') AS m4, CAST(quantileExactInclusiveOrNull(0.9990000000000001)(toFloat64(latency_ms)), 'Nullable(Float64)') AS m5, CAST(if(count() = 0, NULL, uniqExactArray(arrayMap(x -> substring(x, 10), arrayFilter(x -> startsWith(x, {p1:String}), metadata_pairs)))), 'Nullable(Float64)') AS m6
FROM (SELECT *
FROM log
WHERE workspace = {p2:Int64}
	AND (engine = {p3:String}))
