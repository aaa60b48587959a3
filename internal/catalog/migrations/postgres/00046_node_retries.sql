-- Nodes of workflows that run again when they fail.

-- +goose Up
-- retries is how often the node has failed and was run again.
ALTER TABLE workflow_run_node ADD COLUMN retries BIGINT NOT NULL DEFAULT 0;

-- +goose Down
ALTER TABLE workflow_run_node DROP COLUMN retries;
