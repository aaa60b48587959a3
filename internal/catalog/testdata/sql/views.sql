-- CreateView
INSERT INTO saved_view (workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts, size)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
RETURNING id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts;

-- DeleteView
DELETE FROM saved_view
WHERE workspace_id = $1
AND kind = $2
AND id = $3
RETURNING id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts;

-- GetView
SELECT id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts
FROM saved_view
WHERE workspace_id = $1
AND kind = $2
AND id = $3;

-- ListViews
SELECT id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts
FROM saved_view
WHERE workspace_id = $1
AND kind = $2
ORDER BY name;

-- checkViewRoom
SELECT COUNT(*), CAST(SUM(size) AS BIGINT)
FROM saved_view
WHERE workspace_id = $1
AND kind = $2;

-- setView
UPDATE saved_view
SET name = $1, page = $2, state = $3, charts = $4, updated_at = $5, size = $6
WHERE id = $7
RETURNING id, workspace_id, kind, name, page, created_by, created_at, updated_at, state, charts;

