SELECT grouping(g0, g1, g2, g3), coalesce(g0, g1, g2::VARCHAR, g3), count(*), coalesce(sum(price), 0), coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT
FROM (SELECT coalesce(nullif(engine, ''), 'unknown') AS g0, provider AS g1, prompt_id AS g2, error_type AS g3, price, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND id <= {p2:Int64}
	AND (engine = {p3:String}))
GROUP BY GROUPING SETS ((g0), (g1), (g2), (g3))
