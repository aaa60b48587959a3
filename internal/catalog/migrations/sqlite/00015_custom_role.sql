-- Roles that a workspace defines for itself.

-- +goose Up
-- permissions is the JSON of the permissions' names. Keys and memberships refer
-- to a role by its name, which therefore never changes.
CREATE TABLE custom_role (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL,
    permissions  TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, name)
) STRICT;

-- +goose Down
DROP TABLE custom_role;
