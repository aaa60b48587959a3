-- Who may sign in, and what everybody did.

-- +goose Up
-- email_folded is the address as it is compared. password is its argon2id hash
-- with the parameters, NULL until the first one was set. opened_by is the
-- workspace whose administrators opened the account, NULL where an owner did.
CREATE TABLE account (
    id              INTEGER PRIMARY KEY AUTOINCREMENT,
    email           TEXT    NOT NULL,
    email_folded    TEXT    NOT NULL UNIQUE,
    password        TEXT,
    owner           INTEGER NOT NULL DEFAULT 0,
    opened_by       INTEGER REFERENCES workspace (id),
    created_at      INTEGER NOT NULL,
    last_sign_in_at INTEGER
) STRICT;

CREATE TABLE membership (
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    account_id   INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    roles        TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    PRIMARY KEY (workspace_id, account_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX membership_account ON membership (account_id);

-- hash is the SHA-256 of what the browser keeps.
CREATE TABLE session (
    hash       BLOB    PRIMARY KEY NOT NULL,
    account_id INTEGER NOT NULL REFERENCES account (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_expiry ON session (expires_at);

-- A link that signs in once. An account has one at most.
CREATE TABLE sign_in_link (
    account_id INTEGER PRIMARY KEY REFERENCES account (id) ON DELETE CASCADE,
    hash       BLOB    NOT NULL UNIQUE,
    expires_at INTEGER NOT NULL
) STRICT;

-- workspace_id is NULL for what concerns the whole installation. Nothing here
-- refers to another table: what was done stays true when its subject is gone.
CREATE TABLE audit_entry (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER,
    at           INTEGER NOT NULL,
    actor_kind   TEXT    NOT NULL,
    actor_id     INTEGER,
    actor_name   TEXT    NOT NULL,
    action       TEXT    NOT NULL,
    subject_kind TEXT    NOT NULL,
    subject_id   INTEGER,
    subject_name TEXT    NOT NULL,
    detail       TEXT    NOT NULL
) STRICT;

CREATE INDEX audit_entry_workspace ON audit_entry (workspace_id, id);
CREATE INDEX audit_entry_subject ON audit_entry (workspace_id, subject_kind, subject_id, id);

-- +goose StatementBegin
CREATE TRIGGER audit_entry_no_update BEFORE UPDATE ON audit_entry
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd

-- +goose StatementBegin
CREATE TRIGGER audit_entry_no_delete BEFORE DELETE ON audit_entry
BEGIN
    SELECT RAISE(ABORT, 'the audit log is append-only');
END;
-- +goose StatementEnd

-- +goose Down
DROP TABLE audit_entry;
DROP TABLE sign_in_link;
DROP TABLE session;
DROP TABLE membership;
DROP TABLE account;
