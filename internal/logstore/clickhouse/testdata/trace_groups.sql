WITH RECURSIVE node AS (SELECT trace_key, key, if(lengthUTF8(span_id) < 16, leftPadUTF8(span_id, 16, '0'), span_id) AS id, if(lengthUTF8(parent_id) < 16, leftPadUTF8(parent_id, 16, '0'), parent_id) AS parent
FROM (SELECT trace_key, key, span_id, parent_id
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)})) AS s), link AS (SELECT node.trace_key AS trace_key, node.key AS key, up.key AS up
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
WHERE reach >= parents AND up IS NULL AND steps + 2 <= 1000) AS above ON above.key = link.up) SELECT trace_run_by_user_id AS id, min(start_time), max(greatest(start_time, trace_end)), count(*), sum(trace_span_count)::BIGINT, sum(trace_requests)::BIGINT, sum(trace_errors)::BIGINT, sum(trace_total_cost_usd), sum(trace_total_tokens)::BIGINT, sum(trace_input_tokens)::BIGINT, sum(trace_output_tokens)::BIGINT, count(DISTINCT trace_session_id), count(DISTINCT trace_run_by_user_id), coalesce(min(trace_run_by_user_id), '')
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, countIf(s.status = 'ERROR') AS trace_errors, any_value(sums.input_tokens) AS trace_input_tokens, any_value(sums.output_tokens) AS trace_output_tokens, coalesce(any_value(sums.requests), 0) AS trace_requests, argMin(s.user_id, (s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_run_by_user_id, argMin(s.session_id, (s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_session_id, count(*) AS trace_span_count, CASE WHEN countIf(s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status, any_value(sums.price) AS trace_total_cost_usd, any_value(sums.total_tokens) AS trace_total_tokens
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)})) AS s LEFT JOIN (SELECT logged.trace_key AS trace_key, count(*) AS requests, sum(logs.price) AS price, sum(logs.total_tokens)::BIGINT AS total_tokens, sum(logs.input_tokens)::BIGINT AS input_tokens, sum(logs.output_tokens)::BIGINT AS output_tokens
FROM (SELECT DISTINCT trace_key, log_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)})) AS logged JOIN (SELECT span_key, price, total_tokens, input_tokens, output_tokens
FROM log
WHERE workspace = {p1:Int64} AND span_key <> 0 AND span_key IN (SELECT log_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)}))) AS logs ON logs.span_key = logged.log_key
GROUP BY logged.trace_key) AS sums ON sums.trace_key = s.trace_key
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IN {p2:Array(String)}
	AND ((trace_status = {p3:String}) OR trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, tree.depth AS span_depth
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key IN (SELECT trace_key
FROM span FINAL
WHERE workspace = {p1:Int64} AND user_id IN {p2:Array(String)})) AS s LEFT JOIN tree ON tree.key = s.key)
WHERE (span_depth > {p4:Int64})))
GROUP BY id
