WITH RECURSIVE node AS (SELECT trace_key, key, if(lengthUTF8(span_id) < 16, leftPadUTF8(span_id, 16, '0'), span_id) AS id, if(lengthUTF8(parent_id) < 16, leftPadUTF8(parent_id, 16, '0'), parent_id) AS parent
FROM (SELECT trace_key, key, span_id, parent_id
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s), tree AS (SELECT trace_key, key, id, 1::BIGINT AS depth
FROM node
WHERE parent IS NULL
	OR (trace_key, assumeNotNull(parent)) NOT IN (SELECT trace_key, id
FROM node) UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1
FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id
WHERE tree.depth < 1000) SELECT id
FROM (SELECT trace_run_by_user_id AS id, max(greatest(start_time, trace_end)) AS sort
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(s.end_time) AS trace_end, argMin(s.user_id, (s.start_time, bitAnd(s.key, 9007199254740991))) AS trace_run_by_user_id, CASE WHEN countIf(s.status = 'ERROR') > 0 THEN 'ERROR' ELSE 'OK' END AS trace_status
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s
GROUP BY s.trace_key)
WHERE trace_run_by_user_id IS NOT NULL
	AND ((trace_status = {p2:String}) OR trace_key IN (SELECT trace_key
FROM (SELECT s.trace_key AS trace_key, s.start_time AS start_time, tree.depth AS span_depth
FROM (SELECT *
FROM span FINAL
WHERE workspace = {p1:Int64}) AS s LEFT JOIN (SELECT key, max(depth) AS depth
FROM tree
GROUP BY key) AS tree ON tree.key = s.key)
WHERE (span_depth > {p3:Int64})))
GROUP BY id)
ORDER BY sort DESC NULLS LAST, id DESC
LIMIT {p4:Int64} OFFSET {p5:Int64}
