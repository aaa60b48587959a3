-- Leases that do not depend on the clocks of servers.

-- +goose Up
-- The time of the database, in microseconds since 1970. Leases are measured with
-- it, because the clocks of servers differ.
CREATE VIEW clock AS
SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) AS micros;

-- token changes whenever a lease begins or ends. A worker writes only while the
-- job has the token of its lease.
ALTER TABLE job ADD COLUMN token BIGINT NOT NULL DEFAULT 0;

-- server is the server that uses the catalog with its own request logs, until
-- server_until.
ALTER TABLE installation ADD COLUMN server TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE installation ADD COLUMN server_until BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE installation DROP COLUMN server_until;
ALTER TABLE installation DROP COLUMN server;
ALTER TABLE job DROP COLUMN token;
DROP VIEW clock;
