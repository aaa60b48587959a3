SELECT count(*)::DOUBLE AS m0, coalesce(sum(latency_ms), 0)::DOUBLE AS m1, avg(latency_ms)::DOUBLE AS m2, min(latency_ms)::DOUBLE AS m3, max(latency_ms)::DOUBLE AS m4, quantile_cont(latency_ms, 0.9990000000000001)::DOUBLE AS m5, len(list_distinct(flatten(list(list_transform(list_filter(metadata_pairs, x -> starts_with(x, $1)), x -> substr(x, 10))))))::DOUBLE AS m6, avg(CASE WHEN list_contains(score_names, $2) THEN nullif(substr(score_pairs[list_position(score_names, $3)], 10), '')::BIGINT END)::DOUBLE AS m7, quantile_cont(CASE WHEN list_contains(score_names, $4) THEN nullif(substr(score_pairs[list_position(score_names, $5)], 10), '')::BIGINT END, 0.5)::DOUBLE AS m8
FROM (SELECT latency_ms, metadata_pairs, score_names, score_pairs
FROM log
WHERE workspace = $6 AND id <= $7
	AND (engine = $8))
