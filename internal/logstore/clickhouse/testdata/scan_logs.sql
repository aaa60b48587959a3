SELECT id, workspace, head, notes, price, price_source, repricing, input, output, parameters, logged_price, logged_price_source
FROM log
WHERE workspace = {p1:Int64} AND id BETWEEN {p2:Int64} AND {p3:Int64} AND id IN {p4:Array(Int64)}
ORDER BY id
