-- AdvanceRetention
UPDATE retention
SET due_at = $1, progress = $2
WHERE workspace_id = $3
AND due_at = $4
AND updated_at = $5;

-- CreateDeletion
INSERT INTO deletion (workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, after_log, last_log, total,
progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log,
total, progress, created_by, created_at, ended_at;

-- DueRetentions
SELECT workspace_id, rules, progress, due_at, updated_by, updated_at
FROM retention
WHERE due_at <= $1
ORDER BY due_at, workspace_id
LIMIT $2;

-- GetDeletion
SELECT id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log,
total, progress, created_by, created_at, ended_at
FROM deletion
WHERE workspace_id = $1
AND id = $2;

-- GetRetention
SELECT workspace_id, rules, progress, due_at, updated_by, updated_at
FROM retention
WHERE workspace_id = $1;

-- ListDeletions
SELECT COUNT(*)
FROM deletion
WHERE workspace_id = $1;

SELECT id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log,
total, progress, created_by, created_at, ended_at
FROM deletion
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3;

-- PutRetention
INSERT INTO retention (workspace_id, rules, progress, due_at, updated_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (workspace_id) DO UPDATE
SET rules = excluded.rules, progress = excluded.progress, due_at = excluded.due_at, updated_by = excluded.updated_by,
updated_at = excluded.updated_at
RETURNING workspace_id, rules, progress, due_at, updated_by, updated_at;

-- SaveDeletion
UPDATE deletion
SET state = $1, failure = $2, progress = $3, ended_at = $4
WHERE workspace_id = $5
AND id = $6
AND state = $7;

