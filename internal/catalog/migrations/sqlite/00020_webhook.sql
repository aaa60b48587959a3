-- Targets of events, and the events that they are sent.

-- +goose Up
-- events is a JSON array, secret is sealed, and score_below is a number.
CREATE TABLE webhook (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT NOT NULL,
    url          TEXT NOT NULL,
    format       TEXT NOT NULL,
    events       TEXT NOT NULL,
    score_below  TEXT,
    enabled      INTEGER NOT NULL,
    secret       BLOB NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_workspace ON webhook (workspace_id, id);

-- A delivery is written in the transaction of the change that it tells about.
-- due_at is a time of the database's clock.
CREATE TABLE webhook_delivery (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL,
    webhook_id   INTEGER NOT NULL REFERENCES webhook (id) ON DELETE CASCADE,
    event_id     TEXT NOT NULL,
    event        TEXT NOT NULL,
    payload      TEXT NOT NULL,
    state        TEXT NOT NULL,
    due_at       INTEGER NOT NULL,
    attempts     INTEGER NOT NULL DEFAULT 0,
    failures     INTEGER NOT NULL DEFAULT 0,
    attempted_at INTEGER,
    status       INTEGER NOT NULL DEFAULT 0,
    failure      TEXT NOT NULL DEFAULT '',
    response     TEXT NOT NULL DEFAULT '',
    took         INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX webhook_delivery_due ON webhook_delivery (webhook_id, due_at, id) WHERE state = 'pending';
CREATE INDEX webhook_delivery_webhook ON webhook_delivery (webhook_id, id);
CREATE INDEX webhook_delivery_workspace ON webhook_delivery (workspace_id, id);

-- +goose Down
DROP TABLE webhook_delivery;
DROP TABLE webhook;
