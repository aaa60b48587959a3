SELECT start_time - (start_time + 1152921427200000000) % 86400000000 AS bucket, count(*)
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3) AND span_key IN (SELECT log_key
FROM span)
GROUP BY bucket
