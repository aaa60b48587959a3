SELECT grouping(g0, g1, g2, g3), concat(g0, g1, g2, g3), count(), ifNull(sum(price), 0), ifNull(sum(input_tokens), 0), ifNull(sum(output_tokens), 0)
FROM (SELECT if(engine = '', 'unknown', toString(engine)) AS g0, toString(provider) AS g1, ifNull(toString(prompt_id), '') AS g2, ifNull(toString(error_type), '') AS g3, price, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY GROUPING SETS ((g0), (g1), (g2), (g3))
