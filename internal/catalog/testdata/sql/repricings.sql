-- CreateRepricing
INSERT INTO repricing (workspace_id, query, include_sent, state, last_log, total, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at;

-- GetRepricing
SELECT id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at
FROM repricing
WHERE workspace_id = $1
AND id = $2;

-- ListRepricings
SELECT COUNT(*)
FROM repricing
WHERE workspace_id = $1;

SELECT id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at
FROM repricing
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3;

-- SaveRepricing
UPDATE repricing
SET state = $1, failure = $2, progress = $3, ended_at = $4
WHERE workspace_id = $5
AND id = $6
AND state = $7;

