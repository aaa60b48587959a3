-- DB.Engine
SELECT sqlite_version();

SHOW server_version;

-- DB.Size
SELECT page_count * page_size FROM pragma_page_count, pragma_page_size;

SELECT pg_database_size(current_database());

-- EnsureIDsAbove
INSERT INTO id_block (name, last)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET last = excluded.last
WHERE id_block.last < excluded.last;

-- LockWorkspace
UPDATE workspace
SET created_at = created_at
WHERE id = $1;

-- NextSharedID
INSERT INTO shared_id DEFAULT VALUES
RETURNING id;

-- Note
INSERT INTO audit_entry (workspace_id, at, actor_kind, actor_id, actor_name, action, detail, subject_kind, subject_id, subject_name)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10);

-- NoteEntities
INSERT INTO audit_entry (workspace_id, at, actor_kind, actor_id, actor_name, action, detail, subject_kind, subject_id, subject_name)
SELECT CAST($1 AS BIGINT), CAST($2 AS BIGINT), $3, CAST($4 AS BIGINT), $5, $6, $7, kind, id, name
FROM entity
WHERE id IN ($8)
ORDER BY id;

-- QueryPage
SELECT COUNT(*)
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL;

SELECT COUNT(*)
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL;

SELECT COUNT(*)
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0;

SELECT COUNT(*)
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3);

SELECT COUNT(*)
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
AND (SELECT COUNT(*) FROM entity_tag WHERE entity_tag.entity_id = entity.id AND entity_tag.workspace_id = $4
AND entity_tag.tag IN ($5)) = $6;

SELECT COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2;

SELECT COUNT(*)
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
AND archived_at IS NOT NULL;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NOT NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY name ASC, id ASC
LIMIT $2 OFFSET $3;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND EXISTS (SELECT 1 FROM label WHERE label.entity_id = entity.id AND label.name = $2)
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $3
AND tag = $4)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND EXISTS (SELECT 1 FROM label WHERE label.entity_id = entity.id AND label.name = $2)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND created_at <= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND created_at >= $2
AND created_at <= $3
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND created_at >= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
AND (SELECT COUNT(*) FROM entity_tag WHERE entity_tag.entity_id = entity.id AND entity_tag.workspace_id = $4
AND entity_tag.tag IN ($5)) = $6
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
AND (SELECT COUNT(*) FROM entity_tag WHERE entity_tag.entity_id = entity.id AND entity_tag.workspace_id = $4
AND entity_tag.tag IN ($5)) = $6
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
AND (SELECT COUNT(*) FROM entity_tag WHERE entity_tag.entity_id = entity.id AND entity_tag.workspace_id = $4
AND entity_tag.tag IN ($5)) = $6
ORDER BY name ASC, id ASC
LIMIT $7 OFFSET $8;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY name ASC, id ASC
LIMIT $4 OFFSET $5;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND folder_id = $2
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND folder_id IN (
WITH RECURSIVE tree (folder) AS (
SELECT CAST($2 AS BIGINT)
UNION
SELECT child.id
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = $3)
SELECT folder
FROM tree)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND folder_id IN (
WITH RECURSIVE tree (folder) AS (
SELECT CAST($2 AS BIGINT)
UNION
SELECT child.id
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = $3)
SELECT folder
FROM tree)
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND folder_id IS NULL
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = $2
AND source = $3
AND external_id = $4)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND lower(creator) = lower($2)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND name_folded LIKE $2 ESCAPE '\'
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $3
AND tag = $4)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND name_folded LIKE $2 ESCAPE '\'
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND updated_at <= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND updated_at >= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND variant = $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY created_at ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY name ASC, id ASC
LIMIT $2 OFFSET $3;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY name DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY updated_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND id IN ($2)
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND id IN (NULL)
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $3
AND tag = $4)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
AND entity.deleted_at IS NULL
AND id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = $3
AND source = $4
AND external_id = $5)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
ORDER BY created_at DESC, id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision,
row_count, cells, completed, failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
AND archived_at IS NOT NULL
ORDER BY id DESC
LIMIT $3 OFFSET $4;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision,
row_count, cells, completed, failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
AND archived_at IS NULL
ORDER BY id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision,
row_count, cells, completed, failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
ORDER BY id DESC;

SELECT id, workspace_id, report_id, dataset_id, name, tags, comment, score_code, score_language, revision,
row_count, cells, completed, failed, running, score, score_matrix, score_failure, creator, creator_id, created_at, updated_at, ended_at, end_note, archived_at
FROM report_run
WHERE +workspace_id = $1
AND report_id = $2
ORDER BY id DESC
LIMIT $3 OFFSET $4;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE +dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND dataset.group_id = $4
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND dataset.version_id IN ($4)
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND dataset.version_id IN (NULL)
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NOT NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.content_id IN (
SELECT content_id
FROM dataset_prompt
WHERE prompt_id = $4)
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.content_id IN (
SELECT dataset_prompt.content_id
FROM dataset_prompt
JOIN version AS used ON used.entity_id = dataset_prompt.prompt_id
AND used.number = dataset_prompt.prompt_version
JOIN label ON label.version_id = used.id
WHERE label.id = $4)
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.content_id IN (
SELECT dataset_prompt.content_id
FROM dataset_prompt
JOIN version AS used ON used.entity_id = dataset_prompt.prompt_id
AND used.number = dataset_prompt.prompt_version
WHERE used.id = $4)
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.created_at <= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.created_at >= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.group_id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = $4
AND source = $5
AND external_id = $6)
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.updated_at <= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.updated_at >= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND entity.name_folded LIKE $4 ESCAPE '\'
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC
LIMIT $4 OFFSET $5;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.updated_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.version_id ASC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND lower(version.creator) = lower($4)
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message,
version.creator, version.creator_id, version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, dataset.content_id, dataset.row_count, dataset.updated_at
FROM entity
CROSS JOIN dataset
JOIN version ON version.id = dataset.version_id
WHERE +dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.group_id = entity.id
ORDER BY entity.name ASC, dataset.version_id ASC;

-- ReserveIDs
INSERT INTO id_block (name, last)
VALUES ($1, $2)
ON CONFLICT (name) DO UPDATE SET last = id_block.last + excluded.last
RETURNING last;

-- storedRevisions.beforeCommit
INSERT INTO workspace_revision (workspace_id, revision)
SELECT id, 1
FROM workspace
WHERE id = $1
ON CONFLICT (workspace_id) DO UPDATE SET revision = workspace_revision.revision + 1;

-- storedRevisions.get
SELECT revision
FROM workspace_revision
WHERE workspace_id = $1;

