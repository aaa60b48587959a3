UPDATE log SET price = logged_price, price_source = logged_price_source, repricing = 0
WHERE workspace = {p1:Int64} AND repricing = {p2:Int64} AND id BETWEEN {p3:Int64} AND {p4:Int64}
