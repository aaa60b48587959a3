SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p1:Int64}
ORDER BY start_time DESC NULLS LAST, id DESC
LIMIT 10 OFFSET 10
