-- ChangeRole
UPDATE custom_role
SET permissions = $1, updated_at = $2
WHERE workspace_id = $3
AND id = $4
RETURNING id, workspace_id, name, permissions, created_at, updated_at;

-- CountKeys
SELECT COUNT(*) FROM api_key;

-- CreateRole
INSERT INTO custom_role (workspace_id, name, permissions, created_at, updated_at)
VALUES ($1, $2, $3, $4, $4)
RETURNING id, workspace_id, name, permissions, created_at, updated_at;

-- CreateSession
DELETE FROM session
WHERE expires_at <= $1;

INSERT INTO session (hash, account_id, created_at, expires_at)
VALUES ($1, $2, $3, $4);

-- DeleteRole
DELETE FROM custom_role
WHERE workspace_id = $1
AND id = $2
RETURNING id, workspace_id, name, permissions, created_at, updated_at;

-- DeleteSession
DELETE FROM session
WHERE hash = $1;

-- DeleteSessions
DELETE FROM session
WHERE account_id = $1 AND hash <> $2;

-- FindKey
SELECT id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at
FROM api_key
WHERE hash = $1
AND revoked_at IS NULL;

-- FindMember
SELECT account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at, membership.workspace_id, membership.roles, membership.created_at
FROM membership
JOIN account ON account.id = membership.account_id
WHERE membership.workspace_id = $1
AND membership.account_id = $2;

-- FindSession
SELECT account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at, session.expires_at
FROM session
JOIN account ON account.id = session.account_id
WHERE session.hash = $1
AND session.expires_at > $2;

-- FindUser
SELECT account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at
FROM account
WHERE email_folded = $1;

-- FindWorkspace
SELECT workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at
FROM workspace
WHERE name = $1;

-- GetKey
SELECT id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at
FROM api_key
WHERE workspace_id = $1
AND id = $2;

-- GetRole
SELECT id, workspace_id, name, permissions, created_at, updated_at
FROM custom_role
WHERE workspace_id = $1
AND id = $2;

-- GetUser
SELECT account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at
FROM account
WHERE id = $1;

-- GetWorkspace
SELECT workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at
FROM workspace
WHERE id = $1;

-- ListAudit
SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND action = $2
AND subject_id = $3
ORDER BY id DESC
LIMIT $4;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND action = $2
ORDER BY id DESC
LIMIT $3;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND actor_id = $2
ORDER BY id DESC
LIMIT $3;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND actor_kind = $2
AND actor_id = $3
ORDER BY id DESC
LIMIT $4;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND actor_kind = $2
AND actor_name = $3
AND action = $4
AND subject_kind = $5
AND actor_id = $6
AND subject_id = $7
ORDER BY id DESC
LIMIT $8;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND actor_kind = $2
ORDER BY id DESC
LIMIT $3;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND actor_name = $2
ORDER BY id DESC
LIMIT $3;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_id = $2
AND subject_kind = $3
AND subject_id = (SELECT MAX(id) FROM entity WHERE workspace_id = $4 AND kind = $5 AND uuid = $6)
ORDER BY id DESC
LIMIT $7;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND at <= $3
ORDER BY id DESC
LIMIT $4;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND at >= $3
AND at <= $4
ORDER BY id DESC
LIMIT $5;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND at >= $3
ORDER BY id DESC
LIMIT $4;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND id < $3
AND id > $4
ORDER BY id ASC
LIMIT $5;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND id < $3
ORDER BY id DESC
LIMIT $4;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND subject_id = $3
ORDER BY id DESC
LIMIT $4;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND subject_id = (SELECT MAX(id) FROM entity WHERE workspace_id = $3 AND kind = $4 AND uuid = $5)
ORDER BY id DESC
LIMIT $6;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
AND subject_kind = $3
AND subject_id = (SELECT MAX(id) FROM entity WHERE workspace_id = $4 AND kind = $5 AND uuid = $6)
ORDER BY id DESC
LIMIT $7;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
ORDER BY id ASC
LIMIT $3;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
AND subject_kind = $2
ORDER BY id DESC
LIMIT $3;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
ORDER BY id ASC
LIMIT $2;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id = $1
ORDER BY id DESC
LIMIT $2;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id IS NULL
AND action = $1
ORDER BY id DESC
LIMIT $2;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id IS NULL
AND subject_kind = $1
AND subject_id = (SELECT MAX(id) FROM entity WHERE workspace_id = $2 AND kind = $3 AND uuid = $4)
ORDER BY id DESC
LIMIT $5;

SELECT id, workspace_id, at, actor_kind, actor_id, actor_name, action, subject_kind, subject_id, subject_name, detail
FROM audit_entry
WHERE workspace_id IS NULL
ORDER BY id DESC
LIMIT $1;

-- ListKeys
SELECT id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at
FROM api_key
WHERE workspace_id = $1
ORDER BY id;

-- ListMembers
SELECT account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at, membership.workspace_id, membership.roles, membership.created_at
FROM membership
JOIN account ON account.id = membership.account_id
WHERE membership.workspace_id = $1
ORDER BY account.id;

-- ListMemberships
SELECT workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at, membership.roles
FROM membership
JOIN workspace ON workspace.id = membership.workspace_id
WHERE membership.account_id = $1
ORDER BY workspace.id;

-- ListRoles
SELECT id, workspace_id, name, permissions, created_at, updated_at
FROM custom_role
WHERE workspace_id = $1
ORDER BY name;

-- ListUsers
SELECT account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at
FROM account
ORDER BY id;

-- ListWorkspaces
SELECT workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at
FROM workspace
ORDER BY id;

-- OfferSignInLink
INSERT INTO sign_in_link (account_id, hash, expires_at)
VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at
WHERE sign_in_link.hash = excluded.hash
OR sign_in_link.expires_at <= $4;

-- RemoveMember
DELETE FROM membership
WHERE workspace_id = $1
AND account_id = $2;

-- SetMember
INSERT INTO membership (workspace_id, account_id, roles, created_at)
VALUES ($1, $2, $3, $4)
ON CONFLICT (workspace_id, account_id) DO UPDATE SET roles = excluded.roles;

-- SetOwner
SELECT COUNT(*) FROM account WHERE owner = 1;

UPDATE account
SET owner = owner WHERE owner = 1;

-- SetSignInLink
INSERT INTO sign_in_link (account_id, hash, expires_at)
VALUES ($1, $2, $3)
ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, expires_at = excluded.expires_at;

-- TakeSignInLink
DELETE FROM sign_in_link
WHERE hash = $1
AND expires_at > $2
RETURNING account_id;

-- TouchKeys
UPDATE api_key
SET last_used_at = $1
WHERE id = $2
AND COALESCE(last_used_at, 0) < $1;

-- changeKey
UPDATE api_key
SET expires_at = CASE WHEN expires_at < $1 THEN expires_at ELSE $1 END
WHERE workspace_id = $2
AND id = $3
RETURNING id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at;

UPDATE api_key
SET revoked_at = COALESCE(revoked_at, $1)
WHERE workspace_id = $2
AND id = $3
RETURNING id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at;

-- changeUser
UPDATE account
SET last_sign_in_at = $1
WHERE id = $2
RETURNING account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at;

UPDATE account
SET owner = $1
WHERE id = $2
RETURNING account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at;

UPDATE account
SET password = $1
WHERE id = $2
RETURNING account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at;

-- changeWorkspace
UPDATE workspace
SET disabled_at = $1
WHERE id = $2
RETURNING workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at;

UPDATE workspace
SET disabled_at = COALESCE(disabled_at, $1)
WHERE id = $2
RETURNING workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at;

UPDATE workspace
SET name = $1
WHERE id = $2
RETURNING workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at;

UPDATE workspace
SET roles_required = $1
WHERE id = $2
RETURNING workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at;

-- createUser
INSERT INTO account (email, email_folded, owner, opened_by, created_at)
VALUES ($1, $2, $3, $4, $5)
ON CONFLICT (email_folded) DO NOTHING
RETURNING account.id, account.email, COALESCE(account.password, ''), account.owner, account.opened_by, account.created_at, account.last_sign_in_at;

-- insertKey
INSERT INTO api_key (workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (hash) DO NOTHING
RETURNING id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at;

INSERT INTO api_key (workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
ON CONFLICT (hash) DO UPDATE SET workspace_id = excluded.workspace_id, revoked_at = NULL, expires_at = NULL
RETURNING id, workspace_id, hash, name, last_four, owner_email, roles, created_at, expires_at, last_used_at, revoked_at;

-- insertWorkspace
INSERT INTO workspace (name, created_at)
VALUES ($1, $2)
ON CONFLICT (name) DO NOTHING
RETURNING workspace.id, workspace.name, workspace.roles_required, workspace.created_at, workspace.disabled_at;

