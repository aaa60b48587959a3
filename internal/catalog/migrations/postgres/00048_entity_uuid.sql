-- The UUID of a skill collection has a column of its own. It was the variant of its entity.

-- +goose Up
ALTER TABLE entity ADD COLUMN uuid TEXT COLLATE "C";
UPDATE entity SET uuid = variant, variant = '' WHERE kind = 'skill';
CREATE INDEX entity_uuid ON entity (workspace_id, kind, uuid) WHERE uuid IS NOT NULL;

-- +goose Down
DROP INDEX entity_uuid;
UPDATE entity SET variant = COALESCE(uuid, '') WHERE kind = 'skill';
ALTER TABLE entity DROP COLUMN uuid;
