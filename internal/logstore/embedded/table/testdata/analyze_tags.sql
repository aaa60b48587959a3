SELECT tag, count(*) AS requests, coalesce(sum(price), 0) AS cost, coalesce(sum(input_tokens), 0)::BIGINT, coalesce(sum(output_tokens), 0)::BIGINT
FROM (SELECT unnest(tags) AS tag, price, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3))
GROUP BY tag
ORDER BY cost DESC, requests DESC, tag
LIMIT 50
