SELECT tag, count() AS requests, ifNull(sum(price), 0) AS cost, ifNull(sum(input_tokens), 0), ifNull(sum(output_tokens), 0)
FROM (SELECT toString(arrayJoin(tags)) AS tag, price, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY tag
ORDER BY cost DESC, requests DESC, tag
LIMIT 50
