SELECT id, workspace, head, notes, price, price_source, repricing
FROM log
WHERE workspace = {p1:Int64}
ORDER BY CASE WHEN hasAny(score_names, [{p2:String}]) THEN nullif(substring(score_pairs[indexOf(score_names, {p3:String})], 10), '')::BIGINT END DESC NULLS LAST, id DESC
LIMIT 10 OFFSET -10
