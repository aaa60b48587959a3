SELECT tag, count(*) AS requests, coalesce(sum(price), 0) AS cost, coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT
FROM (SELECT arrayJoin(tags) AS tag, price, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY tag
ORDER BY cost DESC, requests DESC, tag
LIMIT 50
