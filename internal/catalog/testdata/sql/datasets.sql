-- AddPrompts
INSERT INTO dataset_prompt (content_id, prompt_id, prompt_version)
VALUES ($1, $2, $3)
ON CONFLICT DO NOTHING;

-- AddRows
INSERT INTO dataset_row (content_id, position, cells)
VALUES ($1, $2, $3);

-- CopyPrompts
INSERT INTO dataset_prompt (content_id, prompt_id, prompt_version)
SELECT CAST($1 AS BIGINT), prompt_id, prompt_version
FROM dataset_prompt
WHERE content_id = $2;

-- CopyRows
INSERT INTO dataset_row (content_id, position, cells)
SELECT CAST($1 AS BIGINT), position, cells
FROM dataset_row
WHERE content_id = $2
AND position >= $3
AND position < $4;

-- CreateContent
INSERT INTO dataset_content (workspace_id, loose_since)
VALUES ($1, $2)
RETURNING id;

-- DropContent
UPDATE dataset_content
SET loose_since = 0
WHERE id = $1
AND loose_since IS NOT NULL;

-- FindDataset
SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.deleted_at IS NULL
AND version.entity_id = $2
AND version.number = $3;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.deleted_at IS NULL
AND version.entity_id = $2
AND version.number = (SELECT last_version FROM entity WHERE id = $3);

-- GetDataset
SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND dataset.version_id = $2;

-- ListDatasets
SELECT COUNT(*)
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE +dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND dataset.group_id = $4
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND dataset.version_id IN ($4)
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND dataset.version_id IN (NULL)
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NOT NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
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

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
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

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
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

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.created_at <= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.created_at >= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
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

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.updated_at <= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.updated_at >= $4
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND entity.name_folded LIKE $4 ESCAPE '\'
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC
LIMIT $4 OFFSET $5;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.updated_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
ORDER BY dataset.version_id ASC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND lower(version.creator) = lower($4)
AND entity.deleted_at IS NULL
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM dataset
JOIN version ON version.id = dataset.version_id
JOIN entity ON entity.id = dataset.group_id
WHERE dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
ORDER BY dataset.created_at DESC, dataset.version_id DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at, entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id,
entity.tags, entity.creator, entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at,
dataset.content_id, dataset.row_count, dataset.updated_at
FROM entity
CROSS JOIN dataset
JOIN version ON version.id = dataset.version_id
WHERE +dataset.workspace_id = $1
AND entity.workspace_id = $2
AND entity.kind = $3
AND entity.deleted_at IS NULL
AND dataset.group_id = entity.id
ORDER BY entity.name ASC, dataset.version_id ASC;

-- LooseContent
SELECT id
FROM dataset_content
WHERE loose_since < $1
ORDER BY loose_since
LIMIT 20;

-- ReadRows
SELECT cells
FROM dataset_row
WHERE content_id = $1
AND position >= $2
AND position < $3
ORDER BY position;

-- RowBytes
SELECT CAST(COALESCE(SUM(OCTET_LENGTH(cells)), 0) AS BIGINT)
FROM dataset_row
WHERE content_id = $1
AND position >= $2;

-- SetRow
UPDATE dataset_row
SET cells = $1
WHERE content_id = $2
AND position = $3;

-- attachContent
UPDATE dataset_content
SET loose_since = NULL
WHERE id = $1
AND loose_since > 0;

-- closeGaps
UPDATE dataset_row
SET position = $1 - position
WHERE content_id = $2
AND position > $3
AND position < $4;

UPDATE dataset_row
SET position = -1 - position
WHERE content_id = $1
AND position < 0;

-- detachContent
UPDATE dataset_content
SET loose_since = $1
WHERE id = $2;

-- dropRest
DELETE FROM dataset_content
WHERE id = $1;

DELETE FROM dataset_prompt
WHERE content_id = $1;

-- dropRows
DELETE FROM dataset_row
WHERE content_id = $1
AND position IN (
SELECT position
FROM dataset_row
WHERE content_id = $1
ORDER BY position
LIMIT $2);

-- insertDataset
INSERT INTO dataset (version_id, workspace_id, group_id, content_id, row_count, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6);

-- nextDatasetNumber
UPDATE entity
SET last_version = last_version + 1, updated_at = $1
WHERE workspace_id = $2
AND id = $3
AND kind = $4
AND deleted_at IS NULL
RETURNING last_version;

-- numberDraft
UPDATE version
SET number = $1
WHERE id = $2;

-- removeRows
DELETE FROM dataset_row
WHERE content_id = $1
AND position IN ($2);

-- setDataset
UPDATE dataset
SET content_id = $1, row_count = $2, updated_at = $3
WHERE version_id = $4;

-- updateDraft
UPDATE version
SET body = $1
WHERE id = $2
AND number = $3;

-- writeContent
UPDATE dataset_content
SET loose_since = CASE WHEN loose_since IS NULL THEN NULL ELSE CAST($1 AS BIGINT) END
WHERE id = $2
AND (loose_since IS NULL OR loose_since > 0);

