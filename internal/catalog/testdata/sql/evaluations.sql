-- AnswerReportCell
UPDATE report_run
SET revision = revision + 1, state = CASE WHEN state = 'WAITING' THEN 'ANSWERS' ELSE state END, updated_at = $1
WHERE workspace_id = $2
AND id = $3
AND ended_at IS NULL
AND archived_at IS NULL;

-- AnsweredRows
SELECT DISTINCT position
FROM person_cell
WHERE run_id = $1
AND used < revision
ORDER BY position
LIMIT $2;

-- ArchiveReportRuns
UPDATE report_run
SET archived_at = $1
WHERE workspace_id = $2
AND archived_at IS NULL
AND id IN ($3);

-- CountReportRuns
SELECT report_id, COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id IN ($2)
AND archived_at IS NOT NULL
GROUP BY report_id;

SELECT report_id, COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id IN ($2)
AND archived_at IS NULL
GROUP BY report_id;

SELECT report_id, COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id IN ($2)
GROUP BY report_id;

-- CreateReport
INSERT INTO report (dataset_id, comment, score_code, score_language, entity_id)
VALUES ($1, $2, $3, $4, $5);

-- EndReportRun
UPDATE report_run
SET ended_at = $1, updated_at = $2, running = $3, waiting = $4, end_note = $5, score = $6, score_matrix = $7, score_failure = $8
WHERE id = $9
AND revision = $10
RETURNING id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting;

-- FillReports
SELECT report.dataset_id, report.comment, report.score_code, report.score_language, report.entity_id
FROM report
WHERE report.entity_id IN ($1);

-- FindReportColumn
SELECT report_column.report_id
FROM report_column
JOIN entity ON entity.id = report_column.report_id
WHERE report_column.id = $1
AND entity.workspace_id = $2;

SELECT report_run_column.run_id
FROM report_run_column
JOIN report_run ON report_run.id = report_run_column.run_id
WHERE report_run_column.id = $1
AND report_run.workspace_id = $2;

-- GetReport
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, report.dataset_id, report.comment,
report.score_code, report.score_language
FROM report
JOIN entity ON entity.id = report.entity_id
WHERE entity.workspace_id = $1
AND entity.id = $2;

-- GetReportRun
SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM report_run
WHERE workspace_id = $1
AND id = $2;

-- ListReportRuns
SELECT COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2;

SELECT COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
AND archived_at IS NOT NULL;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
AND archived_at IS NOT NULL
ORDER BY id DESC
LIMIT $3 OFFSET $4;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
AND archived_at IS NULL
ORDER BY id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
ORDER BY id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
ORDER BY id DESC
LIMIT $3 OFFSET $4;

-- LiveReportRuns
SELECT id
FROM report_run
WHERE workspace_id = $1
AND name = $2
AND archived_at IS NULL
ORDER BY id;

-- LiveReports
SELECT id
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND name = $3
AND deleted_at IS NULL
ORDER BY id;

-- OpenReportCells
SELECT COUNT(*)
FROM person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id
WHERE person_cell.workspace_id = $1
AND person_cell.revision = 0
AND report_run.archived_at IS NULL;

SELECT person_cell.run_id, report_run.report_id, report_run.dataset_id, report_run.name, person_cell.position,
report_run_column.id, report_run_column.position, report_run_column.type, report_run_column.name, report_run_column.configuration, report_run_column.scored
FROM person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id
WHERE person_cell.workspace_id = $1
AND person_cell.revision = 0
AND report_run.archived_at IS NULL
AND (person_cell.asked IS NULL OR person_cell.asked LIKE $2 ESCAPE '\')
ORDER BY person_cell.run_id, person_cell.position, person_cell.column_id;

SELECT person_cell.run_id, report_run.report_id, report_run.dataset_id, report_run.name, person_cell.position,
report_run_column.id, report_run_column.position, report_run_column.type, report_run_column.name, report_run_column.configuration, report_run_column.scored
FROM person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id
WHERE person_cell.workspace_id = $1
AND person_cell.revision = 0
AND report_run.archived_at IS NULL
AND (person_cell.run_id = $2 OR report_run.report_id = $3)
ORDER BY person_cell.run_id, person_cell.position, person_cell.column_id;

SELECT person_cell.run_id, report_run.report_id, report_run.dataset_id, report_run.name, person_cell.position,
report_run_column.id, report_run_column.position, report_run_column.type, report_run_column.name, report_run_column.configuration, report_run_column.scored
FROM person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id
WHERE person_cell.workspace_id = $1
AND person_cell.revision = 0
AND report_run.archived_at IS NULL
AND (person_cell.run_id = $2 OR report_run.report_id = $3)
ORDER BY person_cell.run_id, person_cell.position, person_cell.column_id
LIMIT $4 OFFSET $5;

SELECT person_cell.run_id, report_run.report_id, report_run.dataset_id, report_run.name, person_cell.position,
report_run_column.id, report_run_column.position, report_run_column.type, report_run_column.name, report_run_column.configuration, report_run_column.scored
FROM person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id
WHERE person_cell.workspace_id = $1
AND person_cell.revision = 0
AND report_run.archived_at IS NULL
ORDER BY person_cell.run_id, person_cell.position, person_cell.column_id;

SELECT person_cell.run_id, report_run.report_id, report_run.dataset_id, report_run.name, person_cell.position,
report_run_column.id, report_run_column.position, report_run_column.type, report_run_column.name, report_run_column.configuration, report_run_column.scored
FROM person_cell
JOIN report_run ON report_run.id = person_cell.run_id
JOIN report_run_column ON report_run_column.id = person_cell.column_id
WHERE person_cell.workspace_id = $1
AND person_cell.revision = 0
AND report_run.archived_at IS NULL
ORDER BY person_cell.run_id, person_cell.position, person_cell.column_id
LIMIT $2 OFFSET $3;

-- PauseReportRun
UPDATE report_run
SET state = $1
WHERE id = $2;

-- QueueReportRun
SELECT id
FROM report_run
WHERE workspace_id = $1
AND id = $2
AND ended_at IS NULL;

-- ReportAnswers
SELECT position, column_id, value, comment, author, answered_at, revision, used
FROM person_cell
WHERE run_id = $1
AND position >= $2
AND position < $3
AND revision > 0
ORDER BY position, column_id;

SELECT position, column_id, value, comment, author, answered_at, revision, used
FROM person_cell
WHERE run_id = $1
AND position >= $2
AND position < $3
AND used < revision
ORDER BY position, column_id;

-- ReportColumns
SELECT id, report_id, position, type, name, configuration, scored
FROM report_column
WHERE report_id = $1
ORDER BY position;

-- ReportDatasets
SELECT report.dataset_id
FROM report
JOIN entity ON entity.id = report.entity_id
WHERE entity.workspace_id = $1
AND entity.id = $2
UNION
SELECT dataset_id
FROM report_run
WHERE workspace_id = $1
AND report_id = $2
UNION
SELECT dataset_id
FROM report_run
WHERE workspace_id = $1
AND id = $2
ORDER BY 1;

-- ReportRows
SELECT position, cells, final
FROM report_row
WHERE run_id = $1
AND position >= $2
AND position < $3
ORDER BY position
LIMIT $4;

-- ReportRunColumns
SELECT id, run_id, position, type, name, configuration, scored, score
FROM report_run_column
WHERE run_id = $1
ORDER BY position;

-- ReportRunWorkflows
SELECT column_id, workflow_id, version, runs
FROM report_run_workflow
WHERE run_id = $1
ORDER BY runs DESC, column_id, workflow_id, version DESC
LIMIT $2;

-- ReportRuns
SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM (
SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting, ROW_NUMBER() OVER (PARTITION BY report_id ORDER BY id DESC) AS place
FROM report_run
WHERE +workspace_id = $1
AND report_id IN ($2)
AND archived_at IS NOT NULL) AS newest
WHERE place <= $3
ORDER BY id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM (
SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting, ROW_NUMBER() OVER (PARTITION BY report_id ORDER BY id DESC) AS place
FROM report_run
WHERE +workspace_id = $1
AND report_id IN ($2)
AND archived_at IS NULL) AS newest
WHERE place <= $3
ORDER BY id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting
FROM (
SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting, ROW_NUMBER() OVER (PARTITION BY report_id ORDER BY id DESC) AS place
FROM report_run
WHERE +workspace_id = $1
AND report_id IN ($2)) AS newest
WHERE place <= $3
ORDER BY id DESC;

-- RowsWithAnswers
SELECT DISTINCT position
FROM person_cell
WHERE run_id = $1
AND position >= $2
AND revision > 0
ORDER BY position
LIMIT $3;

-- SaveReportRows
INSERT INTO report_row (run_id, position, cells, final)
VALUES ($1, $2, $3, $4)
ON CONFLICT (run_id, position) DO UPDATE SET cells = excluded.cells, final = excluded.final;

UPDATE report_run
SET completed = completed + $1, failed = failed + $2, running = $3, waiting = waiting + $4
WHERE id = $5
RETURNING workspace_id;

-- SetReportComment
UPDATE report
SET comment = $1
WHERE entity_id = $2;

-- SetReportScoring
UPDATE report
SET score_code = $1, score_language = $2
WHERE entity_id = $3;

-- SetScoreCard
UPDATE report_run
SET revision = revision + 1, updated_at = $1, score_code = $2, score_language = $3
WHERE workspace_id = $4
AND id = $5
AND archived_at IS NULL
AND ended_at IS NULL;

UPDATE report_run
SET revision = revision + 1, updated_at = $1, score_code = $2, score_language = $3, score = $4, score_matrix = $5, score_failure = $6
WHERE workspace_id = $7
AND id = $8
AND archived_at IS NULL
AND ended_at IS NOT NULL;

-- closePersonCells
DELETE FROM person_cell
WHERE run_id = $1
AND revision = 0;

-- insertReportRun
INSERT INTO report_run (id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, row_count, cells, score, creator,
created_at, updated_at, ended_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
(SELECT account.id FROM account WHERE account.email_folded = $17))
RETURNING id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision, row_count, cells, completed,
failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at,
state, waiting;

-- insertRunColumns
INSERT INTO report_run_column (id, run_id, position, type, name, configuration, scored)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- leftIn
SELECT COALESCE(MAX(job.cancelled), 0)
FROM report_run
LEFT JOIN job ON job.kind = $1
AND job.subject_id = report_run.id
WHERE report_run.id = $2
AND report_run.waiting > 0
GROUP BY report_run.id;

-- patchReportRun
UPDATE report_run
SET name = COALESCE($1, name), tags = COALESCE($2, tags), comment = NULLIF(COALESCE($3, comment), ''), updated_at = $4
WHERE workspace_id = $5
AND id = $6
AND archived_at IS NULL;

-- replaceColumns
DELETE FROM report_column
WHERE report_id = $1;

INSERT INTO report_column (id, report_id, position, type, name, configuration, scored)
VALUES ($1, $2, $3, $4, $5, $6, $7);

-- savePersonCells
INSERT INTO person_cell (run_id, position, column_id, workspace_id, asked)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (run_id, position, column_id) DO NOTHING;

-- saveWorkflows
INSERT INTO report_run_workflow (run_id, column_id, workflow_id, version, runs)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (run_id, column_id, workflow_id, version) DO UPDATE SET runs = report_run_workflow.runs + excluded.runs;

-- setColumnScores
UPDATE report_run_column
SET score = $1
WHERE run_id = $2
AND id = $3;

UPDATE report_run_column
SET score = NULL
WHERE run_id = $1;

-- setScored
UPDATE report_run_column
SET scored = 0
WHERE run_id = $1;

UPDATE report_run_column
SET scored = 1
WHERE run_id = $1
AND id IN ($2);

-- storeAnswer
UPDATE person_cell
SET revision = revision + 1, value = $1, comment = $2, author = $3, answered_at = $4
WHERE run_id = $5
AND position = $6
AND column_id = $7
RETURNING revision;

UPDATE report_run
SET waiting = waiting - 1
WHERE id = $1;

-- touchReport
UPDATE entity
SET updated_at = $1
WHERE workspace_id = $2
AND id = $3
AND deleted_at IS NULL
RETURNING entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at;

-- useAnswer
UPDATE person_cell
SET used = revision
WHERE run_id = $1
AND position = $2
AND column_id = $3
AND revision = $4;

