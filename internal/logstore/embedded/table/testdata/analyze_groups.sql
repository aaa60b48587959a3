SELECT grouping(g0, g1, g2, g3), coalesce(g0, g1, g2::VARCHAR, g3), count(*), sum(price), sum(input_tokens)::BIGINT, sum(output_tokens)::BIGINT
FROM (SELECT coalesce(nullif(engine, ''), 'unknown') AS g0, provider AS g1, prompt_id AS g2, error_type AS g3, price, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY GROUPING SETS ((g0), (g1), (g2), (g3))
