WITH RECURSIVE node AS (SELECT trace_key, key, CASE WHEN length(span_id) < 16 THEN lpad(span_id, 16, '0') ELSE span_id END AS id, CASE WHEN length(parent_id) < 16 THEN lpad(parent_id, 16, '0') ELSE parent_id END AS parent
FROM (SELECT trace_key, key, span_id, parent_id
FROM span
WHERE workspace = $1) AS s), tree AS (SELECT trace_key, key, id, 1::BIGINT AS depth
FROM node
WHERE NOT EXISTS (SELECT 1
FROM node AS up
WHERE up.trace_key = node.trace_key AND up.id = node.parent) UNION ALL SELECT node.trace_key, node.key, node.id, tree.depth + 1
FROM tree JOIN node ON node.trace_key = tree.trace_key AND node.parent = tree.id
WHERE tree.depth < 1000) SELECT count(*)
FROM (SELECT s.trace_key AS trace_key, min(s.start_time) AS start_time, max(tree.depth) AS trace_depth
FROM (SELECT *
FROM span
WHERE workspace = $1) AS s LEFT JOIN tree AS tree ON tree.key = s.key
GROUP BY s.trace_key)
WHERE (trace_depth > $2)
