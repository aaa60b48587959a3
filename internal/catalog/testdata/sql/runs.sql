-- AddDefinition
INSERT INTO workflow_run_definition (run_id, definition)
VALUES ($1, $2);

-- AddJob
INSERT INTO job (workspace_id, kind, subject_id, owner, lease_until, token)
VALUES ($1, $2, $3, $4, (SELECT micros FROM clock) + $5, 1)
RETURNING id, workspace_id, kind, subject_id, cancelled, token;

-- CreateRun
INSERT INTO workflow_run (workspace_id, workflow_id, version_id, dry_run, inputs, metadata, all_outputs, callback_url, channel, started_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
RETURNING id;

-- EndRun
UPDATE workflow_run
SET status = $1, ended_at = $2
WHERE id = $3
RETURNING id, workspace_id, workflow_id, version_id, dry_run, inputs, metadata, all_outputs, callback_url, channel, started_by,
created_at, ended_at;

-- ExtendJobs
UPDATE job
SET lease_until = (SELECT micros FROM clock) + $1
WHERE owner = $2
RETURNING id, workspace_id, kind, subject_id, cancelled, token;

-- FindRunByChannel
SELECT id, workspace_id, workflow_id, version_id, dry_run, inputs, metadata, all_outputs, callback_url, channel, started_by,
created_at, ended_at
FROM workflow_run
WHERE workspace_id = $1
AND workflow_id = $2
AND channel = $3
AND channel <> ''
ORDER BY id DESC
LIMIT 1;

-- GetRun
SELECT id, workspace_id, workflow_id, version_id, dry_run, inputs, metadata, all_outputs, callback_url, channel, started_by,
created_at, ended_at
FROM workflow_run
WHERE workspace_id = $1
AND id = $2;

-- ListRuns
SELECT COUNT(*)
FROM workflow_run
WHERE workflow_run.workspace_id = $1
AND workflow_run.workflow_id = $2;

SELECT COUNT(*)
FROM workflow_run
WHERE workflow_run.workspace_id = $1
AND workflow_run.workflow_id = $2
AND workflow_run.dry_run = 0;

SELECT COUNT(*)
FROM workflow_run
WHERE workflow_run.workspace_id = $1
AND workflow_run.workflow_id = $2
AND workflow_run.dry_run = 0
AND workflow_run.status = $3;

SELECT COUNT(*)
FROM workflow_run
WHERE workflow_run.workspace_id = $1
AND workflow_run.workflow_id = $2
AND workflow_run.dry_run = 1;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.dry_run = 0
AND workflow_run.status = $4
ORDER BY workflow_run.id DESC
LIMIT $5 OFFSET $6)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.dry_run = 0
AND workflow_run.status = $4
ORDER BY workflow_run.id DESC)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.dry_run = 0
ORDER BY workflow_run.id DESC
LIMIT $4 OFFSET $5)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.dry_run = 0
ORDER BY workflow_run.id DESC)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.dry_run = 1
AND workflow_run.status = $4
ORDER BY workflow_run.id DESC)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.dry_run = 1
ORDER BY workflow_run.id DESC
LIMIT $4 OFFSET $5)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.id = $4
AND workflow_run.dry_run = 0
ORDER BY workflow_run.id DESC)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
AND workflow_run.id = $4
ORDER BY workflow_run.id DESC)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
ORDER BY workflow_run.id DESC
LIMIT $4 OFFSET $5)
ORDER BY workflow_run.id DESC;

SELECT workflow_run.id, workflow_run.workspace_id, workflow_run.workflow_id, version_id, dry_run, version.number, status,
CASE WHEN OCTET_LENGTH(inputs) <= $1 THEN inputs END,
all_outputs, callback_url, channel, started_by, workflow_run.created_at, ended_at
FROM workflow_run
JOIN version ON version.id = workflow_run.version_id
WHERE workflow_run.id IN (
SELECT workflow_run.id
FROM workflow_run
WHERE workflow_run.workspace_id = $2
AND workflow_run.workflow_id = $3
ORDER BY workflow_run.id DESC)
ORDER BY workflow_run.id DESC;

-- Load
SELECT COUNT(*), COUNT(waiting.id), MIN(COALESCE(workflow_run.created_at, report_run.created_at))
FROM job
LEFT JOIN job AS waiting ON waiting.id = job.id AND waiting.lease_until <= (SELECT micros FROM clock)
LEFT JOIN workflow_run ON waiting.kind = $1 AND workflow_run.id = waiting.subject_id
LEFT JOIN report_run ON waiting.kind = $2 AND report_run.id = waiting.subject_id
WHERE job.workspace_id = $3
AND (job.owner IS NOT NULL OR waiting.id IS NOT NULL);

-- OpenJobs
SELECT id, workspace_id, kind, subject_id, cancelled, token
FROM job
WHERE lease_until <= (SELECT micros FROM clock)
AND workspace_id NOT IN ($1)
ORDER BY id
LIMIT $2;

SELECT id, workspace_id, kind, subject_id, cancelled, token
FROM job
WHERE lease_until <= (SELECT micros FROM clock)
ORDER BY id
LIMIT $1;

-- RunDefinition
SELECT definition
FROM workflow_run_definition
WHERE run_id = $1;

-- RunNodes
SELECT position, status, value, message, raw, sequence, retries, started_at, ended_at
FROM workflow_run_node
WHERE run_id = $1
ORDER BY position;

-- RunsOfChannel
SELECT id
FROM workflow_run
WHERE workspace_id = $1
AND workflow_id = $2
AND channel = $3
AND channel <> ''
AND id > $4
ORDER BY id
LIMIT $5;

-- SaveRunNodes
INSERT INTO workflow_run_node (run_id, position, status, value, message, raw, sequence, retries, started_at, ended_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
ON CONFLICT (run_id, position) DO UPDATE SET status = excluded.status, value = excluded.value, message = excluded.message,
raw = excluded.raw, sequence = excluded.sequence, retries = excluded.retries, started_at = excluded.started_at, ended_at = excluded.ended_at;

-- changeJob
DELETE FROM job
WHERE id = $1
AND token = $2;

UPDATE job
SET owner = NULL, lease_until = (SELECT micros FROM clock) + $1, token = token + 1
WHERE id = $2
AND token = $3;

UPDATE job
SET owner = NULL, lease_until = 0, token = token + 1
WHERE lease_until > 0;

UPDATE job
SET token = token
WHERE id = $1
AND token = $2;

-- updateJob
UPDATE job
SET cancelled = 1
WHERE workspace_id = $1
AND kind = $2
AND subject_id = $3
RETURNING id, workspace_id, kind, subject_id, cancelled, token;

UPDATE job
SET owner = $1, lease_until = (SELECT micros FROM clock) + $2, token = token + 1
WHERE id = $3
AND lease_until <= (SELECT micros FROM clock)
RETURNING id, workspace_id, kind, subject_id, cancelled, token;

