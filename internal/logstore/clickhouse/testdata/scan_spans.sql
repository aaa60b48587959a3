SELECT workspace, trace_key, key, written, head, attribute_object, resource_object, event_list, link_list
FROM span FINAL
WHERE workspace IN {p1:Array(Int64)} AND trace_key IN {p2:Array(Int64)} AND key IN {p3:Array(Int64)}
