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
	AND (CASE WHEN hasAny(score_names, [{p34:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p35:String})], 10), '')::BIGINT END = {p36:Int64})
	AND (NOT coalesce(CASE WHEN hasAny(score_names, [{p37:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p38:String})], 10), '')::BIGINT END = {p39:Int64}, FALSE))
	AND (CASE WHEN hasAny(score_names, [{p40:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p41:String})], 10), '')::BIGINT END > {p42:Int64})
	AND (CASE WHEN hasAny(score_names, [{p43:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p44:String})], 10), '')::BIGINT END >= {p45:Int64})
	AND (CASE WHEN hasAny(score_names, [{p46:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p47:String})], 10), '')::BIGINT END < {p48:Int64})
	AND (CASE WHEN hasAny(score_names, [{p49:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p50:String})], 10), '')::BIGINT END <= {p51:Int64})
	AND (toFloat64(CASE WHEN hasAny(score_names, [{p52:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p53:String})], 10), '')::BIGINT END) BETWEEN {p54:Int64} AND {p55:Float64})
	AND (hasAny(score_pairs, [{p56:String}]))
	AND (NOT coalesce(hasAny(score_pairs, [{p57:String}]), FALSE))
	AND (arrayCount(x -> startsWith(x, {p58:String}) AND position(lowerUTF8(replaceAll(replaceAll(substring(x, 10), 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p59:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, score_pairs) > 0)
	AND (hasAny(score_pairs, {p60:Array(String)}))
	AND (NOT coalesce(hasAny(score_pairs, {p61:Array(String)}), FALSE))
	AND (NOT hasAny(score_names, [{p62:String}]))
	AND (NOT coalesce(NOT hasAny(score_names, [{p63:String}]), FALSE))
	AND (position(input_text, {p64:String}) > 0)
	AND (NOT coalesce(position(input_text, {p65:String}) > 0, FALSE))
	AND (startsWith(input_text, {p66:String}))
	AND (endsWith(input_text, {p67:String}))
	AND (is_json)
	AND (NOT coalesce(is_json, FALSE))
	AND (bitAnd(user_intent, 0) <> 0)
	AND (NOT coalesce(bitAnd(user_intent, 0) <> 0, FALSE))
	AND (bitAnd(user_intent, 0) <> 0)
	AND (NOT coalesce(bitAnd(user_intent, 0) <> 0, FALSE))
	AND (span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p68:Int64}))
	AND (NOT coalesce(span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p69:Int64}), FALSE))
	AND (span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p73:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p70:Int64} AND trace_id = {p71:String})
GROUP BY log_key HAVING min(trace_id) = {p72:String}))
	AND (NOT coalesce(span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p77:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p74:Int64} AND trace_id = {p75:String})
GROUP BY log_key HAVING min(trace_id) = {p76:String}), FALSE))
	AND (span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p81:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p78:Int64} AND trace_id IN {p79:Array(String)})
GROUP BY log_key HAVING min(trace_id) IN {p80:Array(String)}))
	AND (NOT coalesce(span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p85:Int64} AND log_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p82:Int64} AND trace_id IN {p83:Array(String)})
GROUP BY log_key HAVING min(trace_id) IN {p84:Array(String)}), FALSE))
	AND (start_time = {p86:Int64})
	AND (start_time < {p87:Int64})
	AND (start_time > {p88:Int64})
	AND (start_time BETWEEN {p89:Int64} AND {p90:Int64}))
ORDER BY price ASC NULLS LAST, id ASC
LIMIT 0 OFFSET -1
