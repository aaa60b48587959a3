-- Finds deleted entities by name: request logs still refer to them.

-- +goose Up
CREATE INDEX entity_deleted_name ON entity (workspace_id, kind, name) WHERE deleted_at IS NOT NULL;

-- +goose Down
DROP INDEX entity_deleted_name;
