-- CountCall
INSERT INTO rate_limit (name, caller, calls, updated_at)
VALUES ($1, $2, '[]', (SELECT micros FROM clock))
ON CONFLICT (name, caller) DO UPDATE SET updated_at = excluded.updated_at
RETURNING calls, updated_at;

UPDATE rate_limit
SET calls = $1
WHERE name = $2
AND caller = $3;

-- ForgetCalls
DELETE FROM rate_limit
WHERE updated_at < (SELECT micros FROM clock) - $1;

-- ID
SELECT id
FROM installation;

-- JoinServer
UPDATE installation
SET id = id;

-- LastBackup
SELECT at, detail
FROM audit_entry
WHERE workspace_id IS NULL
AND subject_kind = $1
AND subject_id = 0
ORDER BY id DESC
LIMIT $2;

-- LeaveServer
DELETE FROM server
WHERE name = $1;

-- Servers
SELECT name, alone, version, started_at, status, until, until > (SELECT micros FROM clock)
FROM server
WHERE until > (SELECT micros FROM clock) - $1
ORDER BY name;

-- SetID
INSERT INTO installation (one, id)
VALUES (1, $1)
ON CONFLICT (one) DO UPDATE SET id = excluded.id
WHERE installation.id = '';

-- register
DELETE FROM server
WHERE until < (SELECT micros FROM clock) - $1;

INSERT INTO server (name, alone, version, started_at, until, status)
VALUES ($1, $2, $3, $4, (SELECT micros FROM clock) + $5, $6)
ON CONFLICT (name) DO UPDATE
SET alone = excluded.alone, version = excluded.version, started_at = excluded.started_at, until = excluded.until, status = excluded.status;

-- rival
SELECT name, alone, version, started_at, status, until, until > (SELECT micros FROM clock)
FROM server
WHERE name <> $1
AND until > (SELECT micros FROM clock)
AND (alone = 1 OR $2 = 1)
ORDER BY until DESC, name
LIMIT 1;

