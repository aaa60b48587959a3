-- Deletions of request logs, and how long they are kept.

-- +goose Up
-- query and progress are JSON objects. after_log and last_log limit the ids of the
-- logs, and total is the number of logs that matched when it began.
CREATE TABLE deletion (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    source       TEXT NOT NULL,
    query        TEXT NOT NULL,
    user_name    TEXT NOT NULL,
    texts_only   INTEGER NOT NULL,
    state        TEXT NOT NULL,
    failure      TEXT NOT NULL DEFAULT '',
    after_log    INTEGER NOT NULL,
    last_log     INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    progress     TEXT NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;

CREATE INDEX deletion_workspace ON deletion (workspace_id, id);

-- rules and progress are JSON objects. due_at is when the rules are to be followed
-- next.
CREATE TABLE retention (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
    rules        TEXT NOT NULL,
    progress     TEXT NOT NULL,
    due_at       INTEGER NOT NULL,
    updated_by   TEXT,
    updated_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX retention_due ON retention (due_at);

-- +goose Down
DROP TABLE retention;
DROP TABLE deletion;
