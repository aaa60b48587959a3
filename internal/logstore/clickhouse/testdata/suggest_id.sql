SELECT value
FROM (SELECT prompt_id::VARCHAR AS value
FROM log
WHERE workspace = {p1:Int64}
	AND (engine = {p2:String}))
WHERE value <> ''
GROUP BY value
ORDER BY count(*) DESC, value
LIMIT 100
