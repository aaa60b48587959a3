SELECT head, attribute_object, resource_object, event_list, link_list
FROM span FINAL
WHERE workspace = {p1:Int64} AND trace_key = {p2:Int64} AND key = {p3:Int64}
