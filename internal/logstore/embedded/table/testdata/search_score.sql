SELECT id, CASE WHEN list_contains(score_names, $1) THEN nullif(substr(score_pairs[list_position(score_names, $2)], 10), '')::BIGINT END AS value
FROM log
WHERE workspace = $3 AND id <= $4
ORDER BY value DESC NULLS LAST, id DESC
