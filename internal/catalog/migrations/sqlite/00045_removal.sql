-- Deletions of a metadata key or a score of request logs.

-- +goose Up
-- metadata_key and score_name are empty for other deletions, which delete request
-- logs or their texts. with_traces says that the traces of the request logs go, too.
ALTER TABLE deletion ADD COLUMN metadata_key TEXT NOT NULL DEFAULT '';
ALTER TABLE deletion ADD COLUMN score_name TEXT NOT NULL DEFAULT '';
ALTER TABLE deletion ADD COLUMN with_traces INTEGER NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE deletion DROP COLUMN with_traces;
ALTER TABLE deletion DROP COLUMN score_name;
ALTER TABLE deletion DROP COLUMN metadata_key;
