SELECT coalesce(max(id), 0)
FROM (SELECT id
FROM log
WHERE workspace = $1 AND id <= $2 AND id > $3
	AND (engine = $4)
ORDER BY id
LIMIT 100);

SELECT id, provider, engine, start_time, input_tokens, output_tokens, cached_tokens, cache_write_tokens, long_cache_write_tokens, thinking_tokens, is_batch, price, price_source, repricing, logged_price_source
FROM log
WHERE workspace = $1 AND id <= $2
	AND (engine = $3)
