SELECT id, provider, engine, start_time, input_tokens, output_tokens, cached_tokens, cache_write_tokens, long_cache_write_tokens, thinking_tokens, is_batch, price, price_source, repricing, logged_price_source
FROM log
WHERE workspace = {p1:Int64}
	AND (engine = {p2:String}) AND id > {p3:Int64} AND id <= {p4:Int64}
ORDER BY id
LIMIT {p5:Int64}
