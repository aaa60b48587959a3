-- Imports of request logs from files.

-- +goose Up
-- options, checked and run are JSON objects, and hash is that of the file.
CREATE TABLE log_import (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    options      TEXT NOT NULL,
    state        TEXT NOT NULL,
    failure      TEXT NOT NULL DEFAULT '',
    parts        INTEGER NOT NULL DEFAULT 0,
    size         INTEGER NOT NULL DEFAULT 0,
    hash         TEXT NOT NULL DEFAULT '',
    skip_refused INTEGER NOT NULL DEFAULT 0,
    checked      TEXT NOT NULL,
    run          TEXT NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;

CREATE INDEX log_import_workspace ON log_import (workspace_id, id);
CREATE INDEX log_import_hash ON log_import (workspace_id, hash) WHERE hash <> '';

-- A workspace has one job at a time.
CREATE UNIQUE INDEX log_import_active ON log_import (workspace_id) WHERE state IN ('checking', 'running');

-- Parts of a file, until the import has ended, and of its reports.
CREATE TABLE log_import_part (
    import_id INTEGER NOT NULL REFERENCES log_import (id) ON DELETE CASCADE,
    content   TEXT NOT NULL,
    number    INTEGER NOT NULL,
    text      BLOB NOT NULL,
    PRIMARY KEY (import_id, content, number)
) STRICT;

-- +goose Down
DROP TABLE log_import_part;
DROP TABLE log_import;
