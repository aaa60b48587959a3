SELECT count(*)::DOUBLE AS m0, coalesce(sumOrNull(toFloat64(latency_ms)), 0)::DOUBLE AS m1, avgOrNull(toFloat64(latency_ms))::DOUBLE AS m2, minOrNull(toFloat64(latency_ms))::DOUBLE AS m3, maxOrNull(toFloat64(latency_ms))::DOUBLE AS m4, quantileExactInclusiveOrNull(0.9990000000000001)(toFloat64(latency_ms))::DOUBLE AS m5, if(count() = 0, NULL, uniqExactArray(arrayMap(x -> substring(x, 10), arrayFilter(x -> startsWith(x, {p1:String}), metadata_pairs))))::DOUBLE AS m6, avgOrNull(toFloat64(CASE WHEN hasAny(score_names, [{p2:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p3:String})], 10), '')::BIGINT END))::DOUBLE AS m7, quantileExactInclusiveOrNull(0.5)(toFloat64(CASE WHEN hasAny(score_names, [{p4:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p5:String})], 10), '')::BIGINT END))::DOUBLE AS m8
FROM (SELECT latency_ms, metadata_pairs, score_names, score_pairs
FROM log
WHERE workspace = {p6:Int64}
	AND (engine = {p7:String}))
