-- AdvanceExport
UPDATE saved_export
SET next_at = $1
WHERE id = $2
AND next_at = $3;

-- CreateExport
INSERT INTO saved_export (workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at;

SELECT COUNT(*)
FROM saved_export
WHERE workspace_id = $1;

UPDATE saved_export
SET credentials = $1
WHERE workspace_id = $2
AND id = $3
RETURNING id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at;

-- CreateRun
DELETE FROM export_run
WHERE export_id = $1
AND id <= (SELECT id FROM export_run WHERE export_id = $1 ORDER BY id DESC LIMIT 1 OFFSET $2);

INSERT INTO export_run (export_id, workspace_id, state, scheduled, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING id, export_id, workspace_id, state, failure, scheduled, progress, created_by, created_at, ended_at;

-- DeleteExport
DELETE FROM saved_export
WHERE workspace_id = $1
AND id = $2
RETURNING id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at;

-- DueExports
SELECT id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at
FROM saved_export
WHERE next_at <= $1
ORDER BY next_at, id
LIMIT $2;

-- GetExport
SELECT id, export_id, workspace_id, state, failure, scheduled, progress, created_by, created_at, ended_at
FROM export_run
WHERE export_id = $1
ORDER BY id DESC
LIMIT 1;

SELECT id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at
FROM saved_export
WHERE workspace_id = $1
AND id = $2;

-- GetRun
SELECT id, export_id, workspace_id, state, failure, scheduled, progress, created_by, created_at, ended_at
FROM export_run
WHERE workspace_id = $1
AND id = $2;

-- ListExports
SELECT id, export_id, workspace_id, state, failure, scheduled, progress, created_by, created_at, ended_at
FROM export_run
WHERE id IN (SELECT MAX(id) FROM export_run WHERE workspace_id = $1 GROUP BY export_id);

SELECT id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at
FROM saved_export
WHERE workspace_id = $1
ORDER BY name, id;

-- ListRuns
SELECT COUNT(*)
FROM export_run
WHERE workspace_id = $1
AND export_id = $2;

SELECT id, export_id, workspace_id, state, failure, scheduled, progress, created_by, created_at, ended_at
FROM export_run
WHERE workspace_id = $1
AND export_id = $2
ORDER BY id DESC
LIMIT $3 OFFSET $4;

-- SaveRun
UPDATE export_run
SET state = $1, failure = $2, progress = $3, ended_at = $4
WHERE id = $5;

-- SetLastLog
UPDATE saved_export
SET last_log = $1
WHERE id = $2;

-- UpdateExport
UPDATE saved_export
SET name = $1, enabled = $2, source = $3, query = $4, file = $5, target = $6, credentials = $7, incremental = $8, schedule = $9,
next_at = $10, updated_at = $11, last_log = CASE WHEN $12 = 1 THEN 0 ELSE last_log END
WHERE workspace_id = $13
AND id = $14
RETURNING id, workspace_id, name, enabled, source, query, file, target, credentials, incremental, schedule, next_at, last_log, created_by,
created_at, updated_at;

-- checkIdle
SELECT COUNT(*)
FROM export_run
WHERE export_id = $1
AND ended_at IS NULL;

