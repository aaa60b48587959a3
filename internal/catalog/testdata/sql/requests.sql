-- CreateGroup
INSERT INTO request_group (workspace_id, created_at)
VALUES ($1, $2)
RETURNING id;

-- Deletions.AdvanceRetention
UPDATE retention
SET due_at = $1, progress = $2
WHERE workspace_id = $3
AND due_at = $4
AND updated_at = $5;

-- Deletions.CreateDeletion
INSERT INTO deletion (workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, after_log, last_log, total, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
RETURNING id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log, total, progress, created_by, created_at, ended_at;

-- Deletions.DueRetentions
SELECT workspace_id, rules, progress, due_at, updated_by, updated_at
FROM retention
WHERE due_at <= $1
ORDER BY due_at, workspace_id
LIMIT $2;

-- Deletions.GetDeletion
SELECT id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log, total, progress, created_by, created_at, ended_at
FROM deletion
WHERE workspace_id = $1
AND id = $2;

-- Deletions.GetRetention
SELECT workspace_id, rules, progress, due_at, updated_by, updated_at
FROM retention
WHERE workspace_id = $1;

-- Deletions.ListDeletions
SELECT COUNT(*)
FROM deletion
WHERE workspace_id = $1;

SELECT id, workspace_id, source, query, user_name, texts_only, metadata_key, score_name, with_traces, state, failure, after_log, last_log, total, progress, created_by, created_at, ended_at
FROM deletion
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3;

-- Deletions.PutRetention
INSERT INTO retention (workspace_id, rules, progress, due_at, updated_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6)
ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, progress = excluded.progress, due_at = excluded.due_at,
updated_by = excluded.updated_by, updated_at = excluded.updated_at
RETURNING workspace_id, rules, progress, due_at, updated_by, updated_at;

-- Deletions.SaveDeletion
UPDATE deletion
SET state = $1, failure = $2, progress = $3, ended_at = $4
WHERE workspace_id = $5
AND id = $6
AND state = $7;

-- GroupExists
SELECT COUNT(*)
FROM request_group
WHERE workspace_id = $1
AND id = $2;

-- Imports.CountOpenImports
SELECT COUNT(*)
FROM log_import
WHERE workspace_id = $1
AND ended_at IS NULL;

-- Imports.CreateImport
INSERT INTO log_import (workspace_id, name, options, state, checked, run, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
RETURNING id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at;

-- Imports.DeleteImport
DELETE FROM log_import
WHERE workspace_id = $1
AND id = $2
AND state NOT IN ('checking', 'running');

-- Imports.DeleteParts
DELETE FROM log_import_part
WHERE import_id = $1
AND content = $2;

-- Imports.FindImportByHash
SELECT id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at
FROM log_import
WHERE workspace_id = $1
AND hash = $2
AND hash <> ''
AND id <> $3
AND state IN ('running', 'done')
ORDER BY id DESC
LIMIT 1;

-- Imports.GetImport
SELECT id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at
FROM log_import
WHERE workspace_id = $1
AND id = $2;

-- Imports.GetPart
SELECT text
FROM log_import_part
WHERE import_id = $1
AND content = $2
AND number = $3;

-- Imports.ListImports
SELECT COUNT(*)
FROM log_import
WHERE workspace_id = $1;

SELECT id, workspace_id, name, options, state, failure, parts, size, hash, skip_refused, checked, run, created_by, created_at, ended_at
FROM log_import
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3;

-- Imports.PutPart
INSERT INTO log_import_part (import_id, content, number, text)
VALUES ($1, $2, $3, $4)
ON CONFLICT (import_id, content, number) DO UPDATE SET text = excluded.text;

-- Imports.SaveImport
UPDATE log_import
SET options = $1, state = $2, failure = $3, parts = $4, size = $5, hash = $6, skip_refused = $7, checked = $8, run = $9, ended_at = $10
WHERE workspace_id = $11
AND id = $12
AND state = $13;

-- Prices.CreatePrice
INSERT INTO price (workspace_id, provider, model, valid_from, rates, created_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
RETURNING id, provider, model, valid_from, rates, created_by, updated_at;

-- Prices.DeletePrice
DELETE FROM price
WHERE workspace_id = $1
AND id = $2
RETURNING id, provider, model, valid_from, rates, created_by, updated_at;

-- Prices.GetPrice
SELECT id, provider, model, valid_from, rates, created_by, updated_at
FROM price
WHERE workspace_id = $1
AND id = $2;

-- Prices.ImportPrices
INSERT INTO price (workspace_id, provider, model, valid_from, rates, created_by, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (workspace_id, provider, model, valid_from) DO UPDATE SET rates = excluded.rates, updated_at = excluded.updated_at;

-- Prices.ListPrices
SELECT id, provider, model, valid_from, rates, created_by, updated_at
FROM price
WHERE workspace_id = $1
ORDER BY provider, model, valid_from DESC;

-- Prices.UpdatePrice
UPDATE price
SET provider = $1, model = $2, valid_from = $3, rates = $4, updated_at = $5
WHERE workspace_id = $6
AND id = $7
RETURNING id, provider, model, valid_from, rates, created_by, updated_at;

-- Prices.checkPriceRoom
SELECT COUNT(*)
FROM price
WHERE workspace_id = $1;

-- Redactions.GetRedaction
SELECT rules, updated_by, updated_at
FROM redaction
WHERE workspace_id = $1;

-- Redactions.PutRedaction
INSERT INTO redaction (workspace_id, rules, updated_by, updated_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id) DO UPDATE SET rules = excluded.rules, updated_by = excluded.updated_by, updated_at = excluded.updated_at
RETURNING rules, updated_by, updated_at;

-- Repricings.CreateRepricing
INSERT INTO repricing (workspace_id, query, include_sent, state, last_log, total, progress, created_by, created_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
RETURNING id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at;

-- Repricings.GetRepricing
SELECT id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at
FROM repricing
WHERE workspace_id = $1
AND id = $2;

-- Repricings.ListRepricings
SELECT COUNT(*)
FROM repricing
WHERE workspace_id = $1;

SELECT id, workspace_id, query, include_sent, state, failure, last_log, total, progress, created_by, created_at, ended_at
FROM repricing
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2 OFFSET $3;

-- Repricings.SaveRepricing
UPDATE repricing
SET state = $1, failure = $2, progress = $3, ended_at = $4
WHERE workspace_id = $5
AND id = $6
AND state = $7;

-- Views.CreateView
INSERT INTO saved_view (workspace_id, kind, name, page, size, created_by, created_at, updated_at, state, charts)
VALUES ($1, $2, $3, $4, $5, $6, $7, $7, $8, $9)
RETURNING id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts;

-- Views.DeleteView
DELETE FROM saved_view
WHERE workspace_id = $1
AND kind = $2
AND id = $3
RETURNING id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts;

-- Views.GetView
SELECT id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts
FROM saved_view
WHERE workspace_id = $1
AND kind = $2
AND id = $3;

-- Views.ListViews
SELECT id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts
FROM saved_view
WHERE workspace_id = $1
AND kind = $2
ORDER BY name;

-- Views.checkViewRoom
SELECT COUNT(*), CAST(SUM(size) AS BIGINT)
FROM saved_view
WHERE workspace_id = $1
AND kind = $2;

-- Views.setView
UPDATE saved_view
SET name = $1, page = $2, size = $3, state = $4, charts = $5, updated_at = $6
WHERE id = $7
RETURNING id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts;

