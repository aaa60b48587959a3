-- CredentialsSealed
SELECT COALESCE(MAX(credentials_sealed), 0)
FROM installation;

-- Replace
UPDATE report_column
SET configuration = $1
WHERE id = $2
AND configuration = $3;

UPDATE report_run_column
SET configuration = $1
WHERE id = $2
AND configuration = $3;

UPDATE version
SET body = $1
WHERE id = $2
AND body = $3;

-- SetCredentialsSealed
UPDATE installation
SET credentials_sealed = 1;

-- Texts
SELECT report_column.id, entity.workspace_id, report_column.type, report_column.configuration
FROM report_column
JOIN entity ON entity.id = report_column.report_id
WHERE report_column.id > $1
ORDER BY 1
LIMIT $2;

SELECT report_run_column.id, report_run.workspace_id, report_run_column.type, report_run_column.configuration
FROM report_run_column
JOIN report_run ON report_run.id = report_run_column.run_id
WHERE report_run_column.id > $1
ORDER BY 1
LIMIT $2;

SELECT version.id, entity.workspace_id, '', version.body
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.kind = 'workflow'
AND version.id > $1
ORDER BY 1
LIMIT $2;

