-- Re-pricings of request logs.

-- +goose Up
-- query and progress are JSON objects. last_log is the last log there was when it
-- began, and total the number of logs that matched.
CREATE TABLE repricing (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    query        TEXT NOT NULL,
    include_sent INTEGER NOT NULL,
    state        TEXT NOT NULL,
    failure      TEXT NOT NULL DEFAULT '',
    last_log     INTEGER NOT NULL,
    total        INTEGER NOT NULL,
    progress     TEXT NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;

CREATE INDEX repricing_workspace ON repricing (workspace_id, id);

-- A workspace has one at a time.
CREATE UNIQUE INDEX repricing_active ON repricing (workspace_id) WHERE ended_at IS NULL;

-- +goose Down
DROP TABLE repricing;
