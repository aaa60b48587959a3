UPDATE log SET price = transform(id, {p1:Array(Int64)}, {p2:Array(Float64)}, 0.), price_source = {p3:String}, repricing = {p4:Int64}
WHERE workspace = {p5:Int64} AND id BETWEEN {p6:Int64} AND {p7:Int64} AND id IN {p1:Array(Int64)}
