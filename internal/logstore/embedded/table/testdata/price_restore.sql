UPDATE log SET price = logged_price, price_source = logged_price_source, repricing = NULL
WHERE workspace = $1 AND repricing = $2 AND id BETWEEN $3 AND $4
