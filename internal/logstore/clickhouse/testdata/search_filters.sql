SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p1:Int64}
	AND ((status = {p2:String})
	AND (NOT ifNull(status = {p3:String}, FALSE))
	AND (status IN {p4:Array(String)})
	AND (NOT ifNull(status IN {p5:Array(String)}, FALSE))
	AND (engine = {p6:String})
	AND (NOT ifNull(engine = {p7:String}, FALSE))
	AND (engine IN {p8:Array(String)})
	AND (NOT ifNull(engine IN {p9:Array(String)}, FALSE))
	AND (id IN {p10:Array(Int64)})
	AND (NOT ifNull(id IN {p11:Array(Int64)}, FALSE))
	AND (id IN {p12:Array(Int64)})
	AND (NOT ifNull(id IN {p13:Array(Int64)}, FALSE))
	AND (id IS NULL)
	AND (NOT ifNull(id IS NULL, FALSE))
	AND (hasAny(tags, {p14:Array(String)}))
	AND (NOT ifNull(hasAny(tags, {p15:Array(String)}), FALSE))
	AND (hasAny(tags, {p16:Array(String)}))
	AND (NOT ifNull(hasAny(tags, {p17:Array(String)}), FALSE))
	AND (empty(tags))
	AND (NOT ifNull(empty(tags), FALSE))
	AND (latency_ms = {p18:Int64})
	AND (NOT ifNull(latency_ms = {p19:Int64}, FALSE))
	AND (latency_ms > {p20:Int64})
	AND (latency_ms >= {p21:Int64})
	AND (latency_ms < {p22:Int64})
	AND (latency_ms <= {p23:Int64})
	AND (latency_ms >= {p24:Int64} AND toFloat64(latency_ms) <= {p25:Float64})
	AND (latency_ms IS NULL)
	AND (NOT ifNull(latency_ms IS NULL, FALSE))
	AND (has(variable_pairs, {p27:String}))
	AND (NOT ifNull(has(variable_pairs, {p29:String}), FALSE))
	AND (arrayExists(x -> startsWith(x, {p31:String}) AND position(lowerUTF8(replaceAll(replaceAll(substring(x, 10), 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p32:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, variable_pairs))
	AND (hasAny(variable_pairs, {p34:Array(String)}))
	AND (NOT ifNull(hasAny(variable_pairs, {p36:Array(String)}), FALSE))
	AND (NOT hasAny(variable_keys, {p37:Array(String)}))
	AND (NOT ifNull(NOT hasAny(variable_keys, {p38:Array(String)}), FALSE))
	AND (position(input_text, {p39:String}) > 0)
	AND (NOT ifNull(position(input_text, {p40:String}) > 0, FALSE))
	AND (startsWith(input_text, {p41:String}))
	AND (endsWith(input_text, {p42:String}))
	AND (is_json)
	AND (NOT ifNull(is_json, FALSE))
	AND (bitAnd(user_intent, 0) <> 0)
	AND (NOT ifNull(bitAnd(user_intent, 0) <> 0, FALSE))
	AND (bitAnd(user_intent, 0) <> 0)
	AND (NOT ifNull(bitAnd(user_intent, 0) <> 0, FALSE))
	AND (span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p43:Int64}))
	AND (NOT ifNull(span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p44:Int64}), FALSE))
	AND (span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p45:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p45:Int64} AND trace_id = {p46:String})
GROUP BY log_key HAVING min(trace_id) = {p47:String}))
	AND (NOT ifNull(span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p48:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p48:Int64} AND trace_id = {p49:String})
GROUP BY log_key HAVING min(trace_id) = {p50:String}), FALSE))
	AND (span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p51:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p51:Int64} AND trace_id IN {p52:Array(String)})
GROUP BY log_key HAVING min(trace_id) IN {p53:Array(String)}))
	AND (NOT ifNull(span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p54:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p54:Int64} AND trace_id IN {p55:Array(String)})
GROUP BY log_key HAVING min(trace_id) IN {p56:Array(String)}), FALSE))
	AND (start_time = {p57:Int64})
	AND (start_time < {p58:Int64})
	AND (start_time > {p59:Int64})
	AND (start_time BETWEEN {p60:Int64} AND {p61:Int64}))
ORDER BY price ASC NULLS LAST, id ASC
LIMIT 0 OFFSET -1
