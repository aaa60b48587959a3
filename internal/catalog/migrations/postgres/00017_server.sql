-- The servers that use the catalog, and the calls they count together.

-- +goose Up
-- A server extends until as long as it runs. alone is 1 for a server that keeps
-- the request logs itself: no other server may use the catalog. status is what it
-- reports of itself, as JSON.
CREATE TABLE server (
    name       TEXT   COLLATE "C" PRIMARY KEY,
    alone      BIGINT NOT NULL,
    version    TEXT   COLLATE "C" NOT NULL,
    started_at BIGINT NOT NULL,
    until      BIGINT NOT NULL,
    status     TEXT   COLLATE "C" NOT NULL
);
INSERT INTO server (name, alone, version, started_at, until, status)
SELECT server, 1, '', 0, server_until, '{}' FROM installation WHERE server <> '';
ALTER TABLE installation DROP COLUMN server_until;
ALTER TABLE installation DROP COLUMN server;

-- calls are the times of the recent calls of a caller, as JSON, in microseconds
-- of the database's clock.
CREATE TABLE rate_limit (
    name       TEXT   COLLATE "C" NOT NULL,
    caller     TEXT   COLLATE "C" NOT NULL,
    calls      TEXT   COLLATE "C" NOT NULL,
    updated_at BIGINT NOT NULL,
    PRIMARY KEY (name, caller)
);
CREATE INDEX rate_limit_age ON rate_limit (updated_at);

-- +goose Down
DROP TABLE rate_limit;
ALTER TABLE installation ADD COLUMN server TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE installation ADD COLUMN server_until BIGINT NOT NULL DEFAULT 0;
DROP TABLE server;
