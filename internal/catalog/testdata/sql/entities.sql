-- AddVersion
UPDATE entity
SET last_version = last_version + 1, updated_at = $1
WHERE workspace_id = $2
AND id = $3
AND deleted_at IS NULL
RETURNING entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at;

-- DeleteExternalID
DELETE FROM external_id
WHERE workspace_id = $1
AND entity_id = $2
AND source = $3
AND external_id = $4;

-- DeleteLabel
DELETE FROM label
WHERE id IN ($1);

-- DeletedByName
SELECT id, name
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NOT NULL
AND name IN ($3)
ORDER BY id DESC
LIMIT $4;

-- EachVersion
SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2
ORDER BY version.number DESC;

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2
ORDER BY version.number DESC
LIMIT $3 OFFSET $4;

-- EntitiesBelow
WITH RECURSIVE tree (folder, depth) AS (
SELECT id, 1
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NULL
AND id IN ($3)
UNION
SELECT child.id, tree.depth + 1
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = $2)
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE entity.folder_id IN (SELECT folder FROM tree)
AND entity.deleted_at IS NULL;

-- EntitiesByID
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND deleted_at IS NULL
AND id IN ($2);

-- EntitiesByName
SELECT MIN(id), name
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NULL
AND name IN ($3)
GROUP BY name;

-- EntitiesByUUID
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND deleted_at IS NULL
AND kind = $2
AND uuid IN ($3);

-- EntityNames
SELECT id, name
FROM entity
WHERE workspace_id = $1
AND id IN ($2);

-- EnvVars.DeleteEnvVar
DELETE FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id = $2
AND env_var.id = $3
RETURNING env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at;

DELETE FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id IS NULL
AND env_var.id = $2
RETURNING env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at;

-- EnvVars.GetEnvVar
SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at
FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id = $2
AND env_var.id = $3;

SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at
FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id IS NULL
AND env_var.id = $2;

-- EnvVars.ListEnvVars
SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at
FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id = $2
ORDER BY env_var.id;

SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at
FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id IS NULL
ORDER BY env_var.id;

-- EnvVars.NewestSealedEnvVar
SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at, env_var.value
FROM env_var
WHERE env_var.value IS NOT NULL
ORDER BY env_var.id DESC
LIMIT 1;

-- EnvVars.SealedEnvVars
SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at, env_var.value
FROM env_var
WHERE env_var.value IS NOT NULL
AND env_var.workspace_id = $1
AND env_var.entity_id IS NULL
UNION ALL
SELECT env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at, env_var.value
FROM env_var
WHERE env_var.value IS NOT NULL
AND env_var.workspace_id = $1
AND env_var.entity_id = $2;

-- EnvVars.SetEnvVar
UPDATE env_var
SET value = $1, suffix = $2, updated_at = $3
WHERE env_var.workspace_id = $4
AND env_var.entity_id = $5
AND env_var.id = $6
RETURNING env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at;

UPDATE env_var
SET value = $1, suffix = $2, updated_at = $3
WHERE env_var.workspace_id = $4
AND env_var.entity_id IS NULL
AND env_var.id = $5
RETURNING env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at;

-- EnvVars.checkRoom
SELECT COUNT(*)
FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id = $2;

SELECT COUNT(*)
FROM env_var
WHERE env_var.workspace_id = $1
AND env_var.entity_id IS NULL;

-- EnvVars.insertEnvVar
INSERT INTO env_var (workspace_id, entity_id, name, value, suffix, created_at, updated_at)
VALUES ($1, $2, $3, $4, $5, $6, $6)
ON CONFLICT DO NOTHING
RETURNING env_var.id, env_var.workspace_id, COALESCE(env_var.entity_id, 0), env_var.name,
CASE WHEN env_var.value IS NULL THEN 1 ELSE 0 END, env_var.suffix, env_var.created_at, env_var.updated_at;

-- ExternalIDsByEntity
SELECT external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at
FROM external_id
WHERE +workspace_id = $1
AND entity_id IN ($2)
ORDER BY id;

-- ExternalIDsOf
SELECT external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at
FROM (
SELECT id AS owner
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
FROM tree)) AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id;

SELECT external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at
FROM (
SELECT id AS owner
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = $2
AND source = $3
AND external_id = $4)
AND created_at >= $5) AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id;

SELECT external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at
FROM (
SELECT id AS owner
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND name_folded LIKE $2 ESCAPE '\') AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id;

SELECT external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at
FROM (
SELECT id AS owner
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL) AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id;

SELECT external_id.source, external_id.external_id, external_id.entity_id, external_id.created_at
FROM (
SELECT id AS owner
FROM entity
WHERE workspace_id = $1
AND id IN ($2)
AND entity.deleted_at IS NULL) AS chosen
CROSS JOIN external_id
WHERE external_id.entity_id = chosen.owner
ORDER BY external_id.id;

-- FindABTestByLabel
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, ab_test.prompt_id, ab_test.label_id,
label.name, version.body
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
JOIN label ON label.id = ab_test.label_id
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1
AND entity.kind = 'ab_test'
AND entity.deleted_at IS NULL
AND ab_test.label_id = $2;

-- FindEntityByName
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND name = $3
AND deleted_at IS NULL
ORDER BY id
LIMIT 1;

-- FindLabel
SELECT label.id, label.entity_id, label.name, label.version_id, version.number, label.created_at
FROM label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id
WHERE entity.workspace_id = $1
AND label.entity_id = $2
AND label.name = $3;

-- FindVersion
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id AND version.number = $1
WHERE entity.id = COALESCE(
(SELECT id FROM entity WHERE entity.workspace_id = $2 AND entity.kind = $3 AND entity.deleted_at IS NULL AND entity.id = $4),
(SELECT MIN(id) FROM entity WHERE entity.workspace_id = $5 AND entity.kind = $6 AND entity.deleted_at IS NULL AND entity.name = $7))
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id AND version.number = $1
WHERE entity.workspace_id = $2 AND entity.kind = $3 AND entity.deleted_at IS NULL AND entity.id = $4
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id AND version.number = $1
WHERE entity.workspace_id = $2 AND entity.kind = $3 AND entity.deleted_at IS NULL AND entity.name = $4
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.id = COALESCE(
(SELECT id FROM entity WHERE entity.workspace_id = $1 AND entity.kind = $2 AND entity.deleted_at IS NULL AND entity.id = $3),
(SELECT MIN(id) FROM entity WHERE entity.workspace_id = $4 AND entity.kind = $5 AND entity.deleted_at IS NULL AND entity.name = $6))
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1 AND entity.kind = $2 AND entity.deleted_at IS NULL AND entity.id = $3
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1 AND entity.kind = $2 AND entity.deleted_at IS NULL AND entity.name = $3
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at, label.id
FROM entity
JOIN label ON label.entity_id = entity.id AND label.name = $1
JOIN version ON version.id = label.version_id
WHERE entity.id = COALESCE(
(SELECT id FROM entity WHERE entity.workspace_id = $2 AND entity.kind = $3 AND entity.deleted_at IS NULL AND entity.id = $4),
(SELECT MIN(id) FROM entity WHERE entity.workspace_id = $5 AND entity.kind = $6 AND entity.deleted_at IS NULL AND entity.name = $7))
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at, label.id
FROM entity
JOIN label ON label.entity_id = entity.id AND label.name = $1
JOIN version ON version.id = label.version_id
WHERE entity.workspace_id = $2 AND entity.kind = $3 AND entity.deleted_at IS NULL AND entity.id = $4
ORDER BY entity.id
LIMIT 1;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at, label.id
FROM entity
JOIN label ON label.entity_id = entity.id AND label.name = $1
JOIN version ON version.id = label.version_id
WHERE entity.workspace_id = $2 AND entity.kind = $3 AND entity.deleted_at IS NULL AND entity.name = $4
ORDER BY entity.id
LIMIT 1;

-- FolderHeight
WITH RECURSIVE tree (folder, depth) AS (
SELECT id, 1
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND deleted_at IS NULL
AND id IN ($3)
UNION
SELECT child.id, tree.depth + 1
FROM entity AS child
JOIN tree ON child.folder_id = tree.folder
WHERE child.kind = $2)
SELECT COALESCE(MAX(depth), 0)
FROM tree;

-- FolderPaths
WITH RECURSIVE chain (id, name, parent) AS (
SELECT id, name, folder_id
FROM entity
WHERE workspace_id = $1
AND kind = $2
AND id IN ($3)
UNION
SELECT entity.id, entity.name, entity.folder_id
FROM entity
JOIN chain ON entity.id = chain.parent)
SELECT id, name, parent
FROM chain;

-- FormerNames
SELECT former_name.entity_id, former_name.name
FROM former_name
WHERE former_name.workspace_id = $1
AND former_name.kind = $2
AND NOT EXISTS (
SELECT 1
FROM entity
WHERE entity.workspace_id = $1
AND entity.kind = $2
AND entity.name = former_name.name
AND entity.deleted_at IS NULL)
AND former_name.name IN ($3);

-- GetABTest
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, ab_test.prompt_id, ab_test.label_id,
label.name, version.body
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
JOIN label ON label.id = ab_test.label_id
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1
AND entity.kind = 'ab_test'
AND entity.deleted_at IS NULL
AND ab_test.entity_id = $2;

-- GetEntity
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL;

-- GetLabel
SELECT label.id, label.entity_id, label.name, label.version_id, version.number, label.created_at
FROM label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id
WHERE entity.workspace_id = $1
AND label.id = $2;

-- GetVersion
SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2
AND version.number = $3;

-- GetVersionByID
SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.id = $2;

-- InsertVersion
INSERT INTO version (id, entity_id, number, body, commit_message, creator, created_at, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, (SELECT account.id FROM account WHERE account.email_folded = $8))
RETURNING version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at;

-- LabelsByEntity
SELECT label.id, label.entity_id, label.name, label.version_id, version.number, label.created_at
FROM label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id
WHERE entity.workspace_id = $1
AND label.entity_id IN ($2)
ORDER BY label.id;

-- LabelsByVersion
SELECT label.id, label.entity_id, label.name, label.version_id, version.number, label.created_at
FROM label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id
WHERE entity.workspace_id = $1
AND label.version_id IN ($2)
ORDER BY label.name, label.id;

-- ListABTests
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, ab_test.prompt_id, ab_test.label_id,
label.name, version.body
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
JOIN label ON label.id = ab_test.label_id
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1
AND entity.kind = 'ab_test'
AND entity.deleted_at IS NULL
AND ab_test.prompt_id = $2
ORDER BY entity.id;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, ab_test.prompt_id, ab_test.label_id,
label.name, version.body
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
JOIN label ON label.id = ab_test.label_id
JOIN version ON version.entity_id = entity.id AND version.number = entity.last_version
WHERE entity.workspace_id = $1
AND entity.kind = 'ab_test'
AND entity.deleted_at IS NULL
ORDER BY entity.id;

-- ListEntities
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NOT NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND 1 = 0
ORDER BY name ASC, id ASC
LIMIT $2 OFFSET $3;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND EXISTS (SELECT 1 FROM label WHERE label.entity_id = entity.id AND label.name = $2)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND created_at <= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND created_at >= $2
AND created_at <= $3
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND created_at >= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND folder_id = $2
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND folder_id IS NULL
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND lower(creator) = lower($2)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND name_folded LIKE $2 ESCAPE '\'
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND updated_at <= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND updated_at >= $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND variant = $2
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY created_at ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY name ASC, id ASC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY name ASC, id ASC
LIMIT $2 OFFSET $3;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY name DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
ORDER BY updated_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND entity.id IN (
SELECT entity_id
FROM entity_tag
WHERE workspace_id = $2
AND tag = $3)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND id IN ($2)
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND id IN (NULL)
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
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

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
AND entity.deleted_at IS NULL
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
ORDER BY created_at DESC, id DESC;

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE workspace_id = $1
ORDER BY created_at DESC, id DESC;

-- ListLabels
SELECT label.id, label.entity_id, label.name, label.version_id, version.number, label.created_at
FROM label
JOIN version ON version.id = label.version_id
JOIN entity ON entity.id = label.entity_id
WHERE entity.workspace_id = $1
AND label.entity_id = $2
ORDER BY label.id;

-- ListReferences
SELECT entity.id, entity.name, version.id, version.number,
version_reference.name, COALESCE(version_reference.number, 0), COALESCE(version_reference.label, '')
FROM version_reference
JOIN version ON version.id = version_reference.version_id
JOIN entity ON entity.id = version.entity_id
WHERE version_reference.workspace_id = $1
AND version_reference.name IN (
SELECT CAST($2 AS TEXT)
UNION ALL
SELECT former_name.name
FROM former_name
JOIN entity AS renamed ON renamed.id = former_name.entity_id
WHERE former_name.workspace_id = $1
AND former_name.kind = $3
AND renamed.name = $2
AND renamed.deleted_at IS NULL)
AND entity.deleted_at IS NULL
ORDER BY entity.id, version.number, version_reference.position;

-- Lock
UPDATE entity
SET last_version = last_version
WHERE workspace_id = $1
AND id = $2
AND deleted_at IS NULL;

-- OwnersOfVersions
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND entity.deleted_at IS NULL
AND version.id IN ($2);

-- RemoveEntities
DELETE FROM entity
WHERE id IN ($1);

UPDATE entity
SET folder_id = NULL
WHERE deleted_at IS NOT NULL
AND folder_id IN ($1);

-- RenameEntity
UPDATE entity
SET name = $1, name_folded = $2, updated_at = $3
WHERE workspace_id = $4
AND id = $5
AND deleted_at IS NULL
RETURNING entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at;

-- ResolvePath
WITH RECURSIVE walk (folder, rest) AS (
SELECT id, SUBSTR(CAST($1 AS TEXT), LENGTH(name) + 2)
FROM entity
WHERE workspace_id = $2
AND kind = $3
AND deleted_at IS NULL
AND folder_id IS NULL
AND (name = $1 OR SUBSTR(CAST($1 AS TEXT), 1, LENGTH(name) + 1) = name || CAST($4 AS TEXT))
UNION ALL
SELECT child.id, SUBSTR(walk.rest, LENGTH(child.name) + 2)
FROM walk
JOIN entity AS child ON child.folder_id = walk.folder
WHERE child.kind = $3
AND child.deleted_at IS NULL
AND walk.rest <> ''
AND (child.name = walk.rest OR SUBSTR(walk.rest, 1, LENGTH(child.name) + 1) = child.name || CAST($4 AS TEXT)))
SELECT folder
FROM walk
WHERE rest = '';

-- SetTags
DELETE FROM entity_tag
WHERE entity_id = $1;

UPDATE entity
SET tags = $1, updated_at = $2
WHERE workspace_id = $3
AND id = $4
AND deleted_at IS NULL
RETURNING entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at;

-- Skills.AccountID
SELECT id
FROM account
WHERE email_folded = $1;

-- Skills.AddContent
INSERT INTO skill_content (workspace_id, hash, content)
VALUES ($1, $2, $3)
ON CONFLICT (workspace_id, hash) DO NOTHING;

-- Skills.KnownContents
SELECT hash
FROM skill_content
WHERE workspace_id = $1
AND hash IN ($2);

-- Skills.ReadContent
SELECT content
FROM skill_content
WHERE workspace_id = $1
AND hash = $2;

-- Skills.SkillTraits
SELECT skill.entity_id, skill.provider, skill.created_by, skill.updated_by
FROM skill
JOIN entity ON entity.id = skill.entity_id
WHERE entity.workspace_id = $1
AND skill.entity_id IN ($2);

-- Skills.setSkillTraits
INSERT INTO skill (entity_id, provider, created_by, updated_by)
VALUES ($1, $2, $3, $4)
ON CONFLICT (entity_id) DO UPDATE SET provider = excluded.provider, created_by = excluded.created_by,
updated_by = excluded.updated_by;

-- VisitLatestVersions
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version
WHERE entity.id IN (
SELECT id
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
FROM tree));

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version
WHERE entity.id IN (
SELECT id
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL
AND id IN (
SELECT entity_id
FROM external_id
WHERE workspace_id = $2
AND source = $3
AND external_id = $4));

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version
WHERE entity.id IN (
SELECT id
FROM entity
WHERE workspace_id = $1
AND entity.deleted_at IS NULL);

SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at
FROM entity
JOIN version ON version.entity_id = entity.id
AND version.number = entity.last_version
WHERE entity.id IN (
SELECT id
FROM entity
WHERE workspace_id = $1
AND kind IN ($2)
AND entity.deleted_at IS NULL
AND name_folded LIKE $3 ESCAPE '\'
AND created_at <= $4);

-- attach
INSERT INTO external_id (workspace_id, source, external_id, entity_id, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (workspace_id, source, external_id) DO NOTHING;

-- changeAll
UPDATE entity
SET deleted_at = $1
WHERE workspace_id = $2
AND deleted_at IS NULL
AND id IN ($3);

UPDATE entity
SET folder_id = $1, updated_at = $2, name_scope = CASE WHEN kind = $3 THEN $4 ELSE name_scope END
WHERE workspace_id = $5
AND deleted_at IS NULL
AND id IN ($6);

UPDATE entity
SET folder_id = NULL
WHERE workspace_id = $1
AND deleted_at IS NULL
AND id IN ($2);

-- checkABTest
SELECT entity.id
FROM ab_test
JOIN entity ON entity.id = ab_test.entity_id
WHERE entity.workspace_id = $1
AND entity.id = $2
AND entity.deleted_at IS NULL;

-- checkFolder
SELECT id
FROM entity
WHERE workspace_id = $1
AND id = $2
AND kind = $3
AND deleted_at IS NULL;

-- checkNoCycle
WITH RECURSIVE chain (id, parent) AS (
SELECT id, folder_id
FROM entity
WHERE id = $1
UNION
SELECT entity.id, entity.folder_id
FROM entity
JOIN chain ON entity.id = chain.parent)
SELECT id
FROM chain;

-- countVersions
SELECT COUNT(*)
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id = $2;

-- externalIDOwner
SELECT entity_id
FROM external_id
WHERE workspace_id = $1
AND source = $2
AND external_id = $3;

-- groupByDetail
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at
FROM entity
WHERE id IN ($1)
ORDER BY id;

-- insertABTest
INSERT INTO ab_test (entity_id, label_id, prompt_id)
VALUES ($1, $2, $3)
ON CONFLICT (label_id) DO NOTHING;

-- insertEntity
INSERT INTO entity (id, workspace_id, kind, variant, uuid, name, folder_id, tags, creator, created_at, updated_at, name_folded, name_scope, creator_id)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, (SELECT account.id FROM account WHERE account.email_folded = $14))
ON CONFLICT DO NOTHING
RETURNING entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at;

-- insertLabel
INSERT INTO label (entity_id, name, version_id, created_at)
VALUES ($1, $2, $3, $4)
RETURNING id;

-- insertReferences
INSERT INTO version_reference (version_id, position, workspace_id, name, number, label)
VALUES ($1, $2, $3, $4, $5, $6);

-- insertTags
INSERT INTO entity_tag (workspace_id, tag, entity_id)
VALUES ($1, $2, $3);

-- keepName
INSERT INTO former_name (workspace_id, kind, name, entity_id)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id, kind, name) DO UPDATE
SET entity_id = excluded.entity_id;

-- pointLabel
UPDATE label
SET version_id = $1
WHERE id = $2;

-- releaseAll
DELETE FROM ab_test
WHERE entity_id IN ($1);

DELETE FROM env_var
WHERE entity_id IN ($1);

DELETE FROM external_id
WHERE entity_id IN ($1);

DELETE FROM former_name
WHERE entity_id IN ($1);

DELETE FROM label
WHERE entity_id IN ($1);

-- removeABTests
DELETE FROM entity
WHERE id IN ($1);

SELECT entity_id
FROM ab_test
WHERE label_id IN ($1);

SELECT entity_id
FROM ab_test
WHERE prompt_id IN ($1);

-- takeName
DELETE FROM former_name
WHERE workspace_id = $1
AND kind = $2
AND name = $3;

-- versionPerEntity
SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id IN ($2)
AND EXISTS (SELECT 1 FROM label WHERE label.version_id = version.id AND label.name = $3);

SELECT version.id, version.entity_id, version.number, version.body, version.commit_message, version.creator, version.creator_id,
version.created_at
FROM version
JOIN entity ON entity.id = version.entity_id
WHERE entity.workspace_id = $1
AND version.entity_id IN ($2)
AND version.number = entity.last_version;

-- versionsByName
WITH wanted (place, name, number, label) AS (VALUES (CAST($1 AS BIGINT), CAST($2 AS TEXT), CAST($3 AS BIGINT), CAST($4 AS TEXT)))
SELECT entity.id, entity.workspace_id, entity.kind, entity.variant, entity.uuid, entity.name, entity.folder_id, entity.tags, entity.creator,
entity.creator_id, entity.last_version, entity.created_at, entity.updated_at, entity.deleted_at, version.id, version.entity_id,
version.number, version.body, version.commit_message, version.creator, version.creator_id, version.created_at, COALESCE(label.id, 0),
wanted.place
FROM wanted
JOIN entity ON entity.name = wanted.name
AND entity.workspace_id = $5
AND entity.kind = $6
AND entity.deleted_at IS NULL
LEFT JOIN label ON label.entity_id = entity.id
AND label.name = wanted.label
JOIN version ON version.id = CASE WHEN wanted.label IS NULL THEN (
SELECT chosen.id
FROM version AS chosen
WHERE chosen.entity_id = entity.id
AND chosen.number = COALESCE(wanted.number, entity.last_version)) ELSE label.version_id END
ORDER BY wanted.place, entity.id;

-- whyNotFound
SELECT id
FROM entity
WHERE entity.id = COALESCE(
(SELECT id FROM entity WHERE entity.workspace_id = $1 AND entity.kind = $2 AND entity.deleted_at IS NULL AND entity.id = $3),
(SELECT MIN(id) FROM entity WHERE entity.workspace_id = $4 AND entity.kind = $5 AND entity.deleted_at IS NULL AND entity.name = $6));

SELECT id
FROM entity
WHERE entity.workspace_id = $1 AND entity.kind = $2 AND entity.deleted_at IS NULL AND entity.id = $3;

SELECT id
FROM entity
WHERE entity.workspace_id = $1 AND entity.kind = $2 AND entity.deleted_at IS NULL AND entity.name = $3;

