SELECT d0, count(*)::DOUBLE AS m0
FROM (SELECT *, start_time - (start_time + 1152921427200000000) % 86400000000 AS d0
FROM (SELECT *
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s
GROUP BY s.trace_key)
WHERE TRUE))
WHERE d0 IS NOT NULL
GROUP BY d0
ORDER BY m0 DESC NULLS LAST, d0
LIMIT 100000
