-- Which ids nobody uses any more.

-- +goose Up
-- Whoever has reserved ids uses them within a limited time. reserved_at is the time of
-- the last reservation in microseconds, and marked is what last was just before the
-- reservation at marked_at. Of the ids up to settled, none is used any more.
ALTER TABLE id_block ADD COLUMN reserved_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE id_block ADD COLUMN marked BIGINT NOT NULL DEFAULT 0;
ALTER TABLE id_block ADD COLUMN marked_at BIGINT NOT NULL DEFAULT 0;
ALTER TABLE id_block ADD COLUMN settled BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE id_block DROP COLUMN settled;
ALTER TABLE id_block DROP COLUMN marked_at;
ALTER TABLE id_block DROP COLUMN marked;
ALTER TABLE id_block DROP COLUMN reserved_at;
