SELECT head, attribute_object, resource_object, event_list, link_list
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key = {p2:Int64} AND key IN (SELECT key
FROM (SELECT key, size, sum(size) OVER (ORDER BY start_time, bitAnd(key, 9007199254740991) ROWS UNBOUNDED PRECEDING) AS total
FROM span FINAL
WHERE workspace = {p3:Int64} AND trace_key = {p4:Int64})
WHERE total - size <= {p5:Int64})
ORDER BY start_time, bitAnd(key, 9007199254740991)
LIMIT {p6:Int64}
