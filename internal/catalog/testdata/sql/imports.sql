-- CountOpenImports
SELECT COUNT(*)
FROM log_import
WHERE workspace_id = $1
AND ended_at IS NULL;

-- CreateImport
INSERT INTO log_import (workspace_id, name, options, state, checked, run, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at;

-- DeleteImport
DELETE FROM log_import
WHERE workspace_id = $1
AND id = $2
AND state NOT IN ('checking', 'running');

-- DeleteParts
DELETE FROM log_import_part
WHERE import_id = $1
AND content = $2;

-- FindImportByHash
SELECT id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at
FROM log_import
WHERE workspace_id = $1
AND hash = $2
AND hash <> ''
AND id <> $3
AND state IN ('running', 'done')
ORDER BY id DESC
LIMIT 1;

-- GetImport
SELECT id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at
FROM log_import
WHERE workspace_id = $1
AND id = $2;

-- GetPart
SELECT text
FROM log_import_part
WHERE import_id = $1
AND content = $2
AND number = $3;

-- ListImports
SELECT COUNT(*)
FROM log_import
WHERE workspace_id = $1;

SELECT id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at
FROM log_import
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3;

-- PutPart
INSERT INTO log_import_part (import_id, content, number, text)
VALUES ($1, $2, $3, $4)
ON CONFLICT (import_id, content, number) DO UPDATE SET text = excluded.text;

-- SaveImport
UPDATE log_import
SET options = $1, state = $2, failure = $3, parts = $4, size = $5, hash = $6, skip_refused = $7, checked = $8, run = $9,
ended_at = $10
WHERE workspace_id = $11
AND id = $12
AND state = $13;

