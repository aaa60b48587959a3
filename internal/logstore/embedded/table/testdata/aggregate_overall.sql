SELECT count(*)::DOUBLE AS m0, coalesce(sum(latency_ms), 0)::DOUBLE AS m1, avg(latency_ms)::DOUBLE AS m2, min(latency_ms)::DOUBLE AS m3, max(latency_ms)::DOUBLE AS m4, quantile_cont(latency_ms, 0.9990000000000001)::DOUBLE AS m5, len(list_distinct(flatten(list(list_transform(list_filter(metadata_pairs, x -> starts_with(x, $1)), x -> substr(x, 10))))))::DOUBLE AS m6
FROM (SELECT latency_ms, metadata_pairs
FROM log
WHERE workspace = $2 AND id <= $3
	AND (engine = $4))
