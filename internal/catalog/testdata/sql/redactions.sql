-- GetRedaction
SELECT workspace_id, rules, updated_by, updated_at
FROM redaction
WHERE workspace_id = $1;

-- PutRedaction
INSERT INTO redaction (workspace_id, rules, updated_by, updated_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id) DO UPDATE
SET rules = excluded.rules, updated_by = excluded.updated_by, updated_at = excluded.updated_at
RETURNING workspace_id, rules, updated_by, updated_at;

