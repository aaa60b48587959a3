SELECT id, start_time AS value
FROM log
WHERE workspace = $1 AND id <= $2 AND CASE WHEN id BETWEEN 0 AND 1000 THEN get_bit($3::BLOB::BIT, (id - 0)::INTEGER) ELSE 0 END = 1
	AND (engine = $4)
ORDER BY CASE WHEN id BETWEEN 0 AND 1000 THEN get_bit($5::BLOB::BIT, (id - 0)::INTEGER) ELSE 0 END DESC, value DESC NULLS LAST, id DESC
