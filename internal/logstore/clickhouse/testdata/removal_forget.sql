DELETE
FROM removal
WHERE workspace = {p2:Int64} AND id IN {p1:Array(Int64)}
	AND (id, at) IN (SELECT arrayJoin(arrayZip({p1:Array(Int64)}, {p3:Array(Int64)})))
