-- CreateGroup
INSERT INTO request_group (workspace_id, created_at)
VALUES ($1, $2)
RETURNING id;

-- GroupExists
SELECT COUNT(*)
FROM request_group
WHERE workspace_id = $1
AND id = $2;

