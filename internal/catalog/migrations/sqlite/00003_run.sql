-- Work in the background, and runs of workflows.

-- +goose Up
-- A job is there until it has ended. owner is the process that has it until
-- lease_until, NULL when nobody has. subject_id is what it is about.
CREATE TABLE job (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    kind         TEXT    NOT NULL,
    subject_id   INTEGER NOT NULL,
    owner        TEXT,
    lease_until  INTEGER NOT NULL,
    cancelled    INTEGER NOT NULL DEFAULT 0,
    UNIQUE (kind, subject_id)
) STRICT;

CREATE INDEX job_lease ON job (lease_until, id);
CREATE INDEX job_owner ON job (owner);

-- Of a run that was deleted with its workflow nothing is left.
CREATE TABLE workflow_run (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    workflow_id  INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    version_id   INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    inputs       TEXT    NOT NULL,
    metadata     TEXT    NOT NULL,
    all_outputs  INTEGER NOT NULL,
    callback_url TEXT    NOT NULL,
    channel      TEXT    NOT NULL,
    started_by   TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER
) STRICT;

CREATE INDEX workflow_run_workflow ON workflow_run (workflow_id, id);
CREATE INDEX workflow_run_version ON workflow_run (version_id);
CREATE INDEX workflow_run_channel ON workflow_run (workflow_id, channel, id) WHERE channel <> '';

-- What has become of a node; nothing where nothing has happened to it. value is
-- NULL unless it succeeded. sequence is the order in which nodes became final,
-- 0 before.
CREATE TABLE workflow_run_node (
    run_id     INTEGER NOT NULL REFERENCES workflow_run (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    status     TEXT    NOT NULL,
    value      TEXT,
    message    TEXT    NOT NULL,
    raw        TEXT    NOT NULL,
    sequence   INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE workflow_run_node;
DROP TABLE workflow_run;
DROP TABLE job;
