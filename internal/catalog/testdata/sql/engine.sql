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

-- EnsureJob
INSERT INTO job (workspace_id, kind, subject_id, owner, lease_until, token)
VALUES ($1, $2, $3, NULL, 0, 1)
ON CONFLICT (kind, subject_id) DO UPDATE SET lease_until = CASE WHEN job.owner IS NULL THEN 0 ELSE job.lease_until END;

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

-- ReserveIDs
INSERT INTO id_block (name, last, reserved_at)
VALUES ($1, $2, (SELECT micros FROM clock))
ON CONFLICT (name) DO UPDATE SET last = id_block.last + excluded.last, reserved_at = excluded.reserved_at,
settled = CASE WHEN id_block.reserved_at <= excluded.reserved_at - $3 THEN id_block.last
WHEN id_block.marked_at <= excluded.reserved_at - $3 THEN id_block.marked ELSE id_block.settled END,
marked = CASE WHEN id_block.marked_at <= excluded.reserved_at - $3 THEN id_block.last ELSE id_block.marked END,
marked_at = CASE WHEN id_block.marked_at <= excluded.reserved_at - $3 THEN excluded.reserved_at ELSE id_block.marked_at END
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

