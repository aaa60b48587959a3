-- Re-pricings of request logs.

-- +goose Up
-- query is a JSON object. last_log is the last log there was when it began, and
-- total the number of logs that matched. Logs up to done are written; those up to
-- upto are counted and may be written. undone is the log up to which prices were
-- reverted.
CREATE TABLE repricing (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    query        TEXT NOT NULL,
    include_sent INTEGER NOT NULL,
    state        TEXT NOT NULL,
    failure      TEXT NOT NULL DEFAULT '',
    last_log     INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    done         INTEGER NOT NULL DEFAULT 0,
    upto         INTEGER NOT NULL DEFAULT 0,
    undone       INTEGER NOT NULL DEFAULT 0,
    logs         INTEGER NOT NULL DEFAULT 0,
    changed      INTEGER NOT NULL DEFAULT 0,
    sent         INTEGER NOT NULL DEFAULT 0,
    unpriced     INTEGER NOT NULL DEFAULT 0,
    old_usd      REAL NOT NULL DEFAULT 0,
    new_usd      REAL NOT NULL DEFAULT 0,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;

CREATE INDEX repricing_workspace ON repricing (workspace_id, id);

-- A workspace has one at a time.
CREATE UNIQUE INDEX repricing_active ON repricing (workspace_id) WHERE ended_at IS NULL;

-- +goose Down
DROP TABLE repricing;
