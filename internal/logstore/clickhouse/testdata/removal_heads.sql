UPDATE log SET head = {p2:Array(String)}[indexOf({p1:Array(Int64)}, id)]
WHERE workspace = {p3:Int64} AND id IN {p1:Array(Int64)} AND NOT texts_deleted
