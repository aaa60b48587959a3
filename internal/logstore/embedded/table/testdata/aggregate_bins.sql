SELECT d0, d1
FROM (SELECT *, status AS d1
FROM (SELECT *, floor(price / 0.01::DOUBLE) * 0.01::DOUBLE AS d0
FROM (SELECT price, status
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))))
WHERE d0 IS NOT NULL AND d0 IN (NULL, $4) AND d1 IS NOT NULL AND FALSE
GROUP BY d0, d1
ORDER BY d0, d1
LIMIT 100000
