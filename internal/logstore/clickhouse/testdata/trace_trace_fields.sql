SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, greatest(max(s.end_time) - min(s.start_time), 0) / 1000.0 AS trace_duration_ms, any_value(s.trace_id) AS trace_id, arraySort(groupUniqArray(coalesce(nullif(l.engine, ''), s.model))) AS trace_models_used, argMin(s.name, (s.parent_id IS NOT NULL, s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_name, min(s.start_time) AS trace_start, CASE WHEN countIf(s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status, any_value(sums.price) AS trace_total_cost_usd
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s LEFT JOIN (SELECT id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs, output_keys, output_pairs
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0
ORDER BY id
LIMIT 1 BY span_key) AS l ON l.span_key = s.log_key LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span FINAL
WHERE workspace = {p1:Int64}) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key
GROUP BY s.trace_key)
WHERE ((trace_id = {p2:String})
	AND (NOT coalesce(trace_id = {p3:String}, FALSE))
	AND (trace_id IN {p4:Array(String)})
	AND (NOT coalesce(trace_id IN {p5:Array(String)}, FALSE))
	AND (trace_name = {p6:String})
	AND (NOT coalesce(trace_name = {p7:String}, FALSE))
	AND (trace_name IN {p8:Array(String)})
	AND (NOT coalesce(trace_name IN {p9:Array(String)}, FALSE))
	AND (position(lowerUTF8(replaceAll(replaceAll(trace_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p10:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0)
	AND (NOT coalesce(position(lowerUTF8(replaceAll(replaceAll(trace_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p11:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, FALSE))
	AND (startsWith(lowerUTF8(replaceAll(replaceAll(trace_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p12:String}, 'İ', 'i'), 'Σ', 'σ'))))
	AND (endsWith(lowerUTF8(replaceAll(replaceAll(trace_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p13:String}, 'İ', 'i'), 'Σ', 'σ'))))
	AND (trace_status = {p14:String})
	AND (NOT coalesce(trace_status = {p15:String}, FALSE))
	AND (trace_status IN {p16:Array(String)})
	AND (NOT coalesce(trace_status IN {p17:Array(String)}, FALSE))
	AND (trace_start = {p18:Int64})
	AND (trace_start < {p19:Int64})
	AND (trace_start > {p20:Int64})
	AND (trace_start BETWEEN {p21:Int64} AND {p22:Int64})
	AND (trace_duration_ms = {p23:Int64})
	AND (NOT coalesce(trace_duration_ms = {p24:Int64}, FALSE))
	AND (trace_duration_ms > {p25:Int64})
	AND (trace_duration_ms >= {p26:Int64})
	AND (trace_duration_ms < {p27:Int64})
	AND (trace_duration_ms <= {p28:Int64})
	AND (toFloat64(trace_duration_ms) BETWEEN {p29:Int64} AND {p30:Float64})
	AND (trace_duration_ms IS NULL)
	AND (NOT coalesce(trace_duration_ms IS NULL, FALSE))
	AND (hasAny(trace_models_used, [{p31:String}]))
	AND (NOT coalesce(hasAny(trace_models_used, [{p32:String}]), FALSE))
	AND (hasAny(trace_models_used, {p33:Array(String)}))
	AND (NOT coalesce(hasAny(trace_models_used, {p34:Array(String)}), FALSE))
	AND (length(trace_models_used) = 0)
	AND (NOT coalesce(length(trace_models_used) = 0, FALSE)))
ORDER BY trace_total_cost_usd ASC NULLS LAST, trace_id ASC
LIMIT {p35:Int64} OFFSET {p36:Int64}
