SELECT d0
FROM (SELECT *, floor(price / 0.01::DOUBLE) * 0.01::DOUBLE AS d0
FROM (SELECT price
FROM log
WHERE workspace = {p1:Int64}
	AND (engine = {p2:String})))
WHERE d0 IS NOT NULL AND d0 IN {p3:Array(Float64)}
GROUP BY d0
ORDER BY d0
LIMIT 100000
