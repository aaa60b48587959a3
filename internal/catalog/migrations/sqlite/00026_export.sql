-- Saved exports and their runs.

-- +goose Up
-- file, target and schedule are JSON objects, credentials are sealed. next_at is when
-- the export is due. last_log is the last request log that complete runs of an
-- incremental export cover.
CREATE TABLE saved_export (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    enabled      INTEGER NOT NULL,
    source       TEXT NOT NULL,
    query        TEXT NOT NULL,
    file         TEXT NOT NULL,
    target       TEXT NOT NULL,
    credentials  BLOB NOT NULL,
    incremental  INTEGER NOT NULL,
    schedule     TEXT NOT NULL,
    next_at      INTEGER,
    last_log     INTEGER NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, name)
) STRICT;

CREATE INDEX saved_export_due ON saved_export (next_at);

-- progress is a JSON object.
CREATE TABLE export_run (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    export_id    INTEGER NOT NULL REFERENCES saved_export (id) ON DELETE CASCADE,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    state        TEXT NOT NULL,
    failure      TEXT NOT NULL DEFAULT '',
    scheduled    INTEGER NOT NULL,
    progress     TEXT NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;

CREATE INDEX export_run_export ON export_run (export_id, id);
CREATE INDEX export_run_workspace ON export_run (workspace_id);
CREATE UNIQUE INDEX export_run_active ON export_run (export_id) WHERE ended_at IS NULL;

-- +goose Down
DROP TABLE export_run;
DROP TABLE saved_export;
