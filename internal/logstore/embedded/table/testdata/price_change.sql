UPDATE log SET price = changed.usd, price_source = $1, repricing = $2
FROM (SELECT unnest($3::BIGINT[]) AS id, unnest($4::DOUBLE[]) AS usd) AS changed
WHERE log.id = changed.id AND log.workspace = $5 AND log.id BETWEEN $6 AND $7
