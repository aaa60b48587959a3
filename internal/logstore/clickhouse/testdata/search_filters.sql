SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p1:Int64}
	AND ((status = {p2:String})
	AND (NOT coalesce(status = {p3:String}, FALSE))
	AND (status IN {p4:Array(String)})
	AND (NOT coalesce(status IN {p5:Array(String)}, FALSE))
	AND (engine = {p6:String})
	AND (NOT coalesce(engine = {p7:String}, FALSE))
	AND (engine IN {p8:Array(String)})
	AND (NOT coalesce(engine IN {p9:Array(String)}, FALSE))
	AND (id IN {p10:Array(Int64)})
	AND (NOT coalesce(id IN {p11:Array(Int64)}, FALSE))
	AND (id IN {p12:Array(Int64)})
	AND (NOT coalesce(id IN {p13:Array(Int64)}, FALSE))
	AND (id IS NULL)
	AND (NOT coalesce(id IS NULL, FALSE))
	AND (hasAny(tags, [{p14:String}]))
	AND (NOT coalesce(hasAny(tags, [{p15:String}]), FALSE))
	AND (hasAny(tags, {p16:Array(String)}))
	AND (NOT coalesce(hasAny(tags, {p17:Array(String)}), FALSE))
	AND (length(tags) = 0)
	AND (NOT coalesce(length(tags) = 0, FALSE))
	AND (latency_ms = {p18:Int64})
	AND (NOT coalesce(latency_ms = {p19:Int64}, FALSE))
	AND (latency_ms > {p20:Int64})
	AND (latency_ms >= {p21:Int64})
	AND (latency_ms < {p22:Int64})
	AND (latency_ms <= {p23:Int64})
	AND (toFloat64(latency_ms) BETWEEN {p24:Int64} AND {p25:Float64})
	AND (latency_ms IS NULL)
	AND (NOT coalesce(latency_ms IS NULL, FALSE))
	AND (hasAny(variable_pairs, [{p26:String}]))
	AND (NOT coalesce(hasAny(variable_pairs, [{p27:String}]), FALSE))
	AND (arrayCount(x -> startsWith(x, {p28:String}) AND position(lowerUTF8(replaceAll(replaceAll(substring(x, 10), 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p29:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, variable_pairs) > 0)
	AND (hasAny(variable_pairs, {p30:Array(String)}))
	AND (NOT coalesce(hasAny(variable_pairs, {p31:Array(String)}), FALSE))
	AND (NOT hasAny(variable_keys, [{p32:String}]))
	AND (NOT coalesce(NOT hasAny(variable_keys, [{p33:String}]), FALSE))
	AND (position(input_text, {p34:String}) > 0)
	AND (NOT coalesce(position(input_text, {p35:String}) > 0, FALSE))
	AND (startsWith(input_text, {p36:String}))
	AND (endsWith(input_text, {p37:String}))
	AND (is_json)
	AND (NOT coalesce(is_json, FALSE))
	AND (bitAnd(user_intent, 0) <> 0)
	AND (NOT coalesce(bitAnd(user_intent, 0) <> 0, FALSE))
	AND (bitAnd(user_intent, 0) <> 0)
	AND (NOT coalesce(bitAnd(user_intent, 0) <> 0, FALSE))
	AND (span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p38:Int64}))
	AND (NOT coalesce(span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p39:Int64}), FALSE))
	AND (span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p43:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p40:Int64} AND trace_id = {p41:String})
GROUP BY log_key HAVING min(trace_id) = {p42:String}))
	AND (NOT coalesce(span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p47:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p44:Int64} AND trace_id = {p45:String})
GROUP BY log_key HAVING min(trace_id) = {p46:String}), FALSE))
	AND (span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p51:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p48:Int64} AND trace_id IN {p49:Array(String)})
GROUP BY log_key HAVING min(trace_id) IN {p50:Array(String)}))
	AND (NOT coalesce(span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p55:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p52:Int64} AND trace_id IN {p53:Array(String)})
GROUP BY log_key HAVING min(trace_id) IN {p54:Array(String)}), FALSE))
	AND (start_time = {p56:Int64})
	AND (start_time < {p57:Int64})
	AND (start_time > {p58:Int64})
	AND (start_time BETWEEN {p59:Int64} AND {p60:Int64}))
ORDER BY price ASC NULLS LAST, id ASC
LIMIT 0 OFFSET -1
