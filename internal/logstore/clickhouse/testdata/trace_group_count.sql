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
WHERE reach >= parents AND up IS NULL AND steps + 2 <= 1000) AS above ON above.key = link.up) SELECT count(DISTINCT trace_run_by_user_id)
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, argMin(s.user_id, (s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_run_by_user_id, CASE WHEN countIf(s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IS NOT NULL
	AND ((trace_status = {p2:String}) OR trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, tree.depth AS span_depth
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s LEFT JOIN tree ON tree.key = s.key)
WHERE (span_depth > {p3:Int64})))
