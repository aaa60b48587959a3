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
WHERE reach >= parents AND up IS NULL AND steps + 2 <= 1000) AS above ON above.key = link.up) , grouped AS MATERIALIZED (SELECT trace_run_by_user_id AS id, sum(trace_total_cost_usd) AS sort
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(tree.depth) AS trace_depth, arg_min(s.user_id, row(s.start_time, s.key & 9007199254740991)) FILTER (s.user_id IS NOT NULL) AS trace_run_by_user_id, any_value(sums.price) AS trace_total_cost_usd
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span
WHERE workspace = $1) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = $1 AND span_key IS NOT NULL) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key LEFT JOIN tree ON tree.key = s.key
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
