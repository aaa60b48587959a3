SELECT d0, d1, count(*)::DOUBLE AS m0
FROM (SELECT *, epoch_us(date_trunc('month', make_timestamp(start_time))) AS d1
FROM (SELECT *, start_time - (start_time + 1152921504600000000) % 300000000 AS d0
FROM (SELECT latency_ms, start_time
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))))
WHERE d0 IS NOT NULL AND d1 IS NOT NULL
GROUP BY d0, d1
ORDER BY m0 DESC NULLS LAST, d0, d1
LIMIT 100000
