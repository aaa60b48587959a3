-- Alerts on request logs, their states and their histories.

-- +goose Up
-- query and levels are JSON. threshold is a number; span, every and remind_after are
-- microseconds.
CREATE TABLE alert (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    enabled      INTEGER NOT NULL,
    query        TEXT NOT NULL,
    measure      TEXT NOT NULL,
    score_name   TEXT NOT NULL,
    comparison   TEXT NOT NULL,
    threshold    TEXT NOT NULL,
    span         INTEGER NOT NULL,
    period       TEXT NOT NULL,
    levels       TEXT NOT NULL,
    every        INTEGER NOT NULL,
    min_requests INTEGER NOT NULL,
    remind_after INTEGER NOT NULL,
    tell_no_data INTEGER NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, name)
) STRICT;

-- What the last evaluation found. value and forecast are numbers.
CREATE TABLE alert_status (
    alert_id     INTEGER PRIMARY KEY REFERENCES alert (id) ON DELETE CASCADE,
    state        TEXT NOT NULL,
    level        INTEGER NOT NULL,
    value        TEXT,
    requests     INTEGER NOT NULL,
    forecast     TEXT,
    from_at      INTEGER NOT NULL,
    until_at     INTEGER NOT NULL,
    failure      TEXT NOT NULL,
    evaluated_at INTEGER,
    changed_at   INTEGER,
    told         INTEGER NOT NULL,
    told_at      INTEGER
) STRICT;

-- The history of an alert.
CREATE TABLE alert_change (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    alert_id INTEGER NOT NULL REFERENCES alert (id) ON DELETE CASCADE,
    at       INTEGER NOT NULL,
    state    TEXT NOT NULL,
    level    INTEGER NOT NULL,
    value    TEXT,
    requests INTEGER NOT NULL,
    forecast TEXT,
    from_at  INTEGER NOT NULL,
    until_at INTEGER NOT NULL,
    failure  TEXT NOT NULL
) STRICT;

CREATE INDEX alert_change_alert ON alert_change (alert_id, id);

-- +goose Down
DROP TABLE alert_change;
DROP TABLE alert_status;
DROP TABLE alert;
