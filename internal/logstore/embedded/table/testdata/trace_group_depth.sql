WITH RECURSIVE node AS (SELECT trace_key, key, CASE WHEN length(span_id) < 16 THEN lpad(span_id, 16, '0') ELSE span_id END AS id, CASE WHEN length(parent_id) < 16 THEN lpad(parent_id, 16, '0') ELSE parent_id END AS parent
FROM (SELECT trace_key, key, span_id, parent_id
FROM span
WHERE workspace = $1) AS s), tree AS (SELECT trace_key, key, id, 1::BIGINT AS depth
FROM node
WHERE NOT EXISTS (SELECT 1
FROM node AS up
WHERE up.trace_key = node.trace_key AND up.id = node.parent) UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1
FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id
WHERE tree.depth < 1000) , grouped AS MATERIALIZED (SELECT trace_run_by_user_id AS id, sum(trace_total_cost_usd) AS sort
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(tree.depth) AS trace_depth, arg_min(s.user_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.user_id IS NOT NULL) AS trace_run_by_user_id, any_value(sums.price) AS trace_total_cost_usd
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span
WHERE workspace = $1) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key LEFT JOIN tree AS tree ON tree.key = s.key
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IS NOT NULL
	AND (trace_depth > $2)
GROUP BY id) SELECT total.groups, id
FROM (SELECT count(*) AS groups
FROM grouped) AS total LEFT JOIN (SELECT id, sort
FROM grouped
ORDER BY sort ASC NULLS LAST, id ASC
LIMIT $3 OFFSET $4) AS page ON TRUE
ORDER BY sort ASC NULLS LAST, id ASC
