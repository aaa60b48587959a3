ALTER TABLE change UPDATE document = {p2:Array(String)}[indexOf({p1:Array(String)}, concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot)))]
WHERE workspace = {p3:Int64} AND id IN {p4:Array(Int64)} AND has({p1:Array(String)}, concat(toString(id), ' ', toString(at), ' ', writer, ' ', toString(slot)))
