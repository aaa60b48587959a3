WITH RECURSIVE node AS (SELECT trace_key, key, CASE WHEN length(span_id) < 16 THEN lpad(span_id, 16, '0') ELSE span_id END AS id, CASE WHEN length(parent_id) < 16 THEN lpad(parent_id, 16, '0') ELSE parent_id END AS parent
FROM (SELECT trace_key, key, span_id, parent_id
FROM span
WHERE workspace = $1) AS s), link AS (SELECT node.trace_key AS trace_key, node.key AS key, up.key AS up
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
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(tree.depth) AS trace_depth, greatest(max(s.end_time) - min(s.start_time), 0) / 1000.0 AS trace_duration_ms, max(s.end_time) AS trace_end, any_value(s.trace_id) AS trace_id, any_value(sums.input_tokens) AS trace_input_tokens, coalesce(list(DISTINCT coalesce(nullif(l.engine, ''), s.model)
ORDER BY coalesce(nullif(l.engine, ''), s.model)) FILTER (coalesce(nullif(l.engine, ''), s.model) IS NOT NULL), []) AS trace_models_used, arg_min(s.name, row(s.parent_id IS NOT NULL, s.start_time, s.key & 9007199254740991)) FILTER (s.name IS NOT NULL) AS trace_name, any_value(sums.output_tokens) AS trace_output_tokens, coalesce(list(DISTINCT l.prompt_id::VARCHAR
ORDER BY l.prompt_id::VARCHAR) FILTER (l.prompt_id::VARCHAR IS NOT NULL), []) AS trace_prompt_ids, coalesce(list(DISTINCT l.prompt_id || ':' || l.prompt_version
ORDER BY l.prompt_id || ':' || l.prompt_version) FILTER (l.prompt_id || ':' || l.prompt_version IS NOT NULL), []) AS trace_prompt_version_refs, arg_min(s.user_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.user_id IS NOT NULL) AS trace_run_by_user_id, arg_min(s.session_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.session_id IS NOT NULL) AS trace_session_id, count(*) AS trace_span_count, min(s.start_time) AS trace_start, CASE WHEN count(*) FILTER (s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status, coalesce(list(DISTINCT s.tool_name
ORDER BY s.tool_name) FILTER (s.tool_name IS NOT NULL), []) AS trace_tool_names, any_value(sums.price) AS trace_total_cost_usd, any_value(sums.total_tokens) AS trace_total_tokens, coalesce(list(DISTINCT s.workflow::VARCHAR
ORDER BY s.workflow::VARCHAR) FILTER (s.workflow::VARCHAR IS NOT NULL), []) AS trace_workflow_ids, coalesce(list(DISTINCT s.workflow || ':' || s.workflow_version
ORDER BY s.workflow || ':' || s.workflow_version) FILTER (s.workflow || ':' || s.workflow_version IS NOT NULL), []) AS trace_workflow_version_refs
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s LEFT JOIN (SELECT id, span_key, engine, price, total_tokens, input_tokens, output_tokens, prompt_id, prompt_version, variable_pairs, output_keys, output_pairs
FROM log
WHERE id IN (SELECT min(id)
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL
GROUP BY span_key)) AS l ON l.span_key = s.log_key LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span
WHERE workspace = $1) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key LEFT JOIN tree ON tree.key = s.key
GROUP BY s.trace_key)
WHERE ((trace_id = $2)
	AND (NOT coalesce(trace_id = $3, FALSE))
	AND (trace_id IN ($4))
	AND (NOT coalesce(trace_id IN ($5), FALSE))
	AND (trace_name = $6)
	AND (NOT coalesce(trace_name = $7, FALSE))
	AND (trace_name IN ($8))
	AND (NOT coalesce(trace_name IN ($9), FALSE))
	AND (contains(lower(trace_name), lower($10)))
	AND (NOT coalesce(contains(lower(trace_name), lower($11)), FALSE))
	AND (starts_with(lower(trace_name), lower($12)))
	AND (ends_with(lower(trace_name), lower($13)))
	AND (trace_status = $14)
	AND (NOT coalesce(trace_status = $15, FALSE))
	AND (trace_status IN ($16))
	AND (NOT coalesce(trace_status IN ($17), FALSE))
	AND (trace_start = $18)
	AND (trace_start < $19)
	AND (trace_start > $20)
	AND (trace_start BETWEEN $21 AND $22)
	AND (trace_end = $23)
	AND (trace_end < $24)
	AND (trace_end > $25)
	AND (trace_end BETWEEN $26 AND $27)
	AND (trace_duration_ms = $28)
	AND (NOT coalesce(trace_duration_ms = $29, FALSE))
	AND (trace_duration_ms > $30)
	AND (trace_duration_ms >= $31)
	AND (trace_duration_ms < $32)
	AND (trace_duration_ms <= $33)
	AND (trace_duration_ms BETWEEN $34 AND $35)
	AND (trace_duration_ms IS NULL)
	AND (NOT coalesce(trace_duration_ms IS NULL, FALSE))
	AND (trace_total_cost_usd = $36)
	AND (NOT coalesce(trace_total_cost_usd = $37, FALSE))
	AND (trace_total_cost_usd > $38)
	AND (trace_total_cost_usd >= $39)
	AND (trace_total_cost_usd < $40)
	AND (trace_total_cost_usd <= $41)
	AND (trace_total_cost_usd BETWEEN $42 AND $43)
	AND (trace_total_cost_usd IS NULL)
	AND (NOT coalesce(trace_total_cost_usd IS NULL, FALSE))
	AND (trace_total_tokens = $44)
	AND (NOT coalesce(trace_total_tokens = $45, FALSE))
	AND (trace_total_tokens > $46)
	AND (trace_total_tokens >= $47)
	AND (trace_total_tokens < $48)
	AND (trace_total_tokens <= $49)
	AND (trace_total_tokens BETWEEN $50 AND $51)
	AND (trace_total_tokens IS NULL)
	AND (NOT coalesce(trace_total_tokens IS NULL, FALSE))
	AND (trace_input_tokens = $52)
	AND (NOT coalesce(trace_input_tokens = $53, FALSE))
	AND (trace_input_tokens > $54)
	AND (trace_input_tokens >= $55)
	AND (trace_input_tokens < $56)
	AND (trace_input_tokens <= $57)
	AND (trace_input_tokens BETWEEN $58 AND $59)
	AND (trace_input_tokens IS NULL)
	AND (NOT coalesce(trace_input_tokens IS NULL, FALSE))
	AND (trace_output_tokens = $60)
	AND (NOT coalesce(trace_output_tokens = $61, FALSE))
	AND (trace_output_tokens > $62)
	AND (trace_output_tokens >= $63)
	AND (trace_output_tokens < $64)
	AND (trace_output_tokens <= $65)
	AND (trace_output_tokens BETWEEN $66 AND $67)
	AND (trace_output_tokens IS NULL)
	AND (NOT coalesce(trace_output_tokens IS NULL, FALSE))
	AND (trace_span_count = $68)
	AND (NOT coalesce(trace_span_count = $69, FALSE))
	AND (trace_span_count > $70)
	AND (trace_span_count >= $71)
	AND (trace_span_count < $72)
	AND (trace_span_count <= $73)
	AND (trace_span_count BETWEEN $74 AND $75)
	AND (trace_span_count IS NULL)
	AND (NOT coalesce(trace_span_count IS NULL, FALSE))
	AND (trace_depth = $76)
	AND (NOT coalesce(trace_depth = $77, FALSE))
	AND (trace_depth > $78)
	AND (trace_depth >= $79)
	AND (trace_depth < $80)
	AND (trace_depth <= $81)
	AND (trace_depth BETWEEN $82 AND $83)
	AND (trace_depth IS NULL)
	AND (NOT coalesce(trace_depth IS NULL, FALSE))
	AND (trace_run_by_user_id = $84)
	AND (NOT coalesce(trace_run_by_user_id = $85, FALSE))
	AND (trace_run_by_user_id IN ($86))
	AND (NOT coalesce(trace_run_by_user_id IN ($87), FALSE))
	AND (trace_session_id = $88)
	AND (NOT coalesce(trace_session_id = $89, FALSE))
	AND (trace_session_id IN ($90))
	AND (NOT coalesce(trace_session_id IN ($91), FALSE))
	AND (list_contains(trace_models_used, $92))
	AND (NOT coalesce(list_contains(trace_models_used, $93), FALSE))
	AND (list_has_any(trace_models_used, [$94]))
	AND (NOT coalesce(list_has_any(trace_models_used, [$95]), FALSE))
	AND (len(trace_models_used) = 0)
	AND (NOT coalesce(len(trace_models_used) = 0, FALSE))
	AND (list_contains(trace_prompt_ids, $96))
	AND (NOT coalesce(list_contains(trace_prompt_ids, $97), FALSE))
	AND (list_has_any(trace_prompt_ids, [$98]))
	AND (NOT coalesce(list_has_any(trace_prompt_ids, [$99]), FALSE))
	AND (len(trace_prompt_ids) = 0)
	AND (NOT coalesce(len(trace_prompt_ids) = 0, FALSE))
	AND (list_contains(trace_prompt_version_refs, $100))
	AND (NOT coalesce(list_contains(trace_prompt_version_refs, $101), FALSE))
	AND (list_has_any(trace_prompt_version_refs, [$102]))
	AND (NOT coalesce(list_has_any(trace_prompt_version_refs, [$103]), FALSE))
	AND (len(trace_prompt_version_refs) = 0)
	AND (NOT coalesce(len(trace_prompt_version_refs) = 0, FALSE))
	AND (list_contains(trace_workflow_ids, $104))
	AND (NOT coalesce(list_contains(trace_workflow_ids, $105), FALSE))
	AND (list_has_any(trace_workflow_ids, [$106]))
	AND (NOT coalesce(list_has_any(trace_workflow_ids, [$107]), FALSE))
	AND (len(trace_workflow_ids) = 0)
	AND (NOT coalesce(len(trace_workflow_ids) = 0, FALSE))
	AND (list_contains(trace_workflow_version_refs, $108))
	AND (NOT coalesce(list_contains(trace_workflow_version_refs, $109), FALSE))
	AND (list_has_any(trace_workflow_version_refs, [$110]))
	AND (NOT coalesce(list_has_any(trace_workflow_version_refs, [$111]), FALSE))
	AND (len(trace_workflow_version_refs) = 0)
	AND (NOT coalesce(len(trace_workflow_version_refs) = 0, FALSE))
	AND (list_contains(trace_tool_names, $112))
	AND (NOT coalesce(list_contains(trace_tool_names, $113), FALSE))
	AND (list_has_any(trace_tool_names, [$114]))
	AND (NOT coalesce(list_has_any(trace_tool_names, [$115]), FALSE))
	AND (len(trace_tool_names) = 0)
	AND (NOT coalesce(len(trace_tool_names) = 0, FALSE)))
ORDER BY trace_total_cost_usd ASC NULLS LAST, trace_id ASC
LIMIT $116 OFFSET $117
