WITH RECURSIVE node AS (SELECT trace_key, key, if(lengthUTF8(span_id) < 16, leftPadUTF8(span_id, 16, '0'), span_id) AS id, if(lengthUTF8(parent_id) < 16, leftPadUTF8(parent_id, 16, '0'), parent_id) AS parent
FROM (SELECT trace_key, key, span_id, parent_id
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s), link AS (SELECT node.trace_key AS trace_key, node.key AS key, up.key AS up
FROM node LEFT JOIN (SELECT trace_key, id, min(key) AS key
FROM node
GROUP BY trace_key, id) AS up ON up.trace_key = node.trace_key AND up.id = node.parent), jump AS (SELECT key, up, CASE WHEN up IS NULL THEN 0::BIGINT ELSE 1::BIGINT END AS steps, 1::BIGINT AS reach, least(count(*) OVER (PARTITION BY trace_key), 1000)::BIGINT AS parents
FROM link
WHERE key IN (SELECT up
FROM link) UNION ALL SELECT near.key, far.up, near.steps + coalesce(far.steps, 0), 2 * near.reach, near.parents
FROM jump AS near LEFT JOIN jump AS far ON far.key = near.up
WHERE near.reach < near.parents), tree AS (SELECT link.key AS key, CASE WHEN link.up IS NULL THEN 1 ELSE above.steps + 2 END AS depth
FROM link LEFT JOIN (SELECT key, steps
FROM jump
WHERE reach >= parents AND up IS NULL AND steps + 2 <= 1000) AS above ON above.key = link.up) SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, any_value(s.trace_id) AS trace_id, min(s.start_time) AS trace_start
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s
GROUP BY s.trace_key)
WHERE trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, greatest(s.end_time - s.start_time, 0) / 1000.0 AS span_duration_ms, s.span_id AS span_id, coalesce(l.variable_pairs, []) AS span_input_variables, below.spans IS NULL AS span_is_leaf, arrayFilter(x -> x IS NOT NULL, [coalesce(nullif(l.engine, ''), s.model)]) AS span_models_used, s.name AS span_name, s.output_text AS span_output_text, l.prompt_id AS span_prompt_id, s.status AS span_status
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s LEFT JOIN (SELECT id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs, output_keys, output_pairs
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0
ORDER BY id
LIMIT 1 BY span_key) AS l ON l.span_key = s.log_key LEFT JOIN (SELECT trace_key, parent, count(*) AS spans
FROM node
WHERE parent IS NOT NULL
GROUP BY trace_key, parent) AS below ON below.trace_key = s.trace_key AND below.parent = if(lengthUTF8(s.span_id) < 16, leftPadUTF8(s.span_id, 16, '0'), s.span_id))
WHERE ((span_id = {p2:String})
	AND (NOT coalesce(span_id = {p3:String}, FALSE))
	AND (span_id IN {p4:Array(String)})
	AND (NOT coalesce(span_id IN {p5:Array(String)}, FALSE))
	AND (span_name = {p6:String})
	AND (NOT coalesce(span_name = {p7:String}, FALSE))
	AND (span_name IN {p8:Array(String)})
	AND (NOT coalesce(span_name IN {p9:Array(String)}, FALSE))
	AND (position(lowerUTF8(replaceAll(replaceAll(span_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p10:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0)
	AND (NOT coalesce(position(lowerUTF8(replaceAll(replaceAll(span_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p11:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, FALSE))
	AND (startsWith(lowerUTF8(replaceAll(replaceAll(span_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p12:String}, 'İ', 'i'), 'Σ', 'σ'))))
	AND (endsWith(lowerUTF8(replaceAll(replaceAll(span_name, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p13:String}, 'İ', 'i'), 'Σ', 'σ'))))
	AND (span_status = {p14:String})
	AND (NOT coalesce(span_status = {p15:String}, FALSE))
	AND (span_status IN {p16:Array(String)})
	AND (NOT coalesce(span_status IN {p17:Array(String)}, FALSE))
	AND (span_duration_ms = {p18:Int64})
	AND (NOT coalesce(span_duration_ms = {p19:Int64}, FALSE))
	AND (span_duration_ms > {p20:Int64})
	AND (span_duration_ms >= {p21:Int64})
	AND (span_duration_ms < {p22:Int64})
	AND (span_duration_ms <= {p23:Int64})
	AND (toFloat64(span_duration_ms) BETWEEN {p24:Int64} AND {p25:Float64})
	AND (span_duration_ms IS NULL)
	AND (NOT coalesce(span_duration_ms IS NULL, FALSE))
	AND (hasAny(span_models_used, [{p26:String}]))
	AND (NOT coalesce(hasAny(span_models_used, [{p27:String}]), FALSE))
	AND (hasAny(span_models_used, {p28:Array(String)}))
	AND (NOT coalesce(hasAny(span_models_used, {p29:Array(String)}), FALSE))
	AND (length(span_models_used) = 0)
	AND (NOT coalesce(length(span_models_used) = 0, FALSE))
	AND (span_prompt_id IN {p30:Array(Int64)})
	AND (NOT coalesce(span_prompt_id IN {p31:Array(Int64)}, FALSE))
	AND (span_prompt_id IN {p32:Array(Int64)})
	AND (NOT coalesce(span_prompt_id IN {p33:Array(Int64)}, FALSE))
	AND (span_prompt_id IS NULL)
	AND (NOT coalesce(span_prompt_id IS NULL, FALSE))
	AND (hasAny(span_input_variables, [{p34:String}]))
	AND (NOT coalesce(hasAny(span_input_variables, [{p35:String}]), FALSE))
	AND (arrayCount(x -> startsWith(x, {p36:String}) AND position(lowerUTF8(replaceAll(replaceAll(substring(x, 10), 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p37:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, span_input_variables) > 0)
	AND (hasAny(span_input_variables, {p38:Array(String)}))
	AND (NOT coalesce(hasAny(span_input_variables, {p39:Array(String)}), FALSE))
	AND (arrayCount(x -> startsWith(x, {p40:String}), span_input_variables) = 0)
	AND (NOT coalesce(arrayCount(x -> startsWith(x, {p41:String}), span_input_variables) = 0, FALSE))
	AND (position(lowerUTF8(replaceAll(replaceAll(span_output_text, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p42:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0)
	AND (NOT coalesce(position(lowerUTF8(replaceAll(replaceAll(span_output_text, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p43:String}, 'İ', 'i'), 'Σ', 'σ'))) > 0, FALSE))
	AND (startsWith(lowerUTF8(replaceAll(replaceAll(span_output_text, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p44:String}, 'İ', 'i'), 'Σ', 'σ'))))
	AND (endsWith(lowerUTF8(replaceAll(replaceAll(span_output_text, 'İ', 'i'), 'Σ', 'σ')), lowerUTF8(replaceAll(replaceAll({p45:String}, 'İ', 'i'), 'Σ', 'σ'))))
	AND (span_is_leaf)
	AND (NOT coalesce(span_is_leaf, FALSE))))
ORDER BY trace_start DESC NULLS LAST, trace_id DESC
LIMIT {p46:Int64} OFFSET {p47:Int64}
