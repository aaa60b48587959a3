-- The servers that use the catalog, and the calls they count together.

-- +goose Up
-- A server extends until as long as it runs. alone is 1 for a server that keeps
-- the request logs itself: no other server may use the catalog. status is what it
-- reports of itself, as JSON.
CREATE TABLE server (
    name       TEXT PRIMARY KEY,
    alone      INTEGER NOT NULL,
    version    TEXT    NOT NULL,
    started_at INTEGER NOT NULL,
    until      INTEGER NOT NULL,
    status     TEXT    NOT NULL
) STRICT;
INSERT INTO server (name, alone, version, started_at, until, status)
SELECT server, 1, '', 0, server_until, '{}' FROM installation WHERE server <> '';
ALTER TABLE installation DROP COLUMN server_until;
ALTER TABLE installation DROP COLUMN server;

-- calls are the times of the recent calls of a caller, as JSON, in microseconds
-- of the database's clock.
CREATE TABLE rate_limit (
    name       TEXT    NOT NULL,
    caller     TEXT    NOT NULL,
    calls      TEXT    NOT NULL,
    updated_at INTEGER NOT NULL,
    PRIMARY KEY (name, caller)
) STRICT;
CREATE INDEX rate_limit_age ON rate_limit (updated_at);

-- +goose Down
DROP TABLE rate_limit;
ALTER TABLE installation ADD COLUMN server TEXT NOT NULL DEFAULT '';
ALTER TABLE installation ADD COLUMN server_until INTEGER NOT NULL DEFAULT 0;
DROP TABLE server;
