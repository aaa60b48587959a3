SELECT id
FROM log
WHERE workspace = $1 AND id <= $2
ORDER BY CASE WHEN list_contains(score_names, $3) THEN nullif(substr(score_pairs[list_position(score_names, $4)], 10), '')::BIGINT END DESC NULLS LAST, id DESC
