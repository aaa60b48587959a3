-- Names that entities had before they were renamed.

-- +goose Up
-- A name leads to its entity until another entity of the kind takes it.
CREATE TABLE former_name (
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    kind         TEXT NOT NULL,
    name         TEXT NOT NULL,
    entity_id    INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    PRIMARY KEY (workspace_id, kind, name)
) STRICT;

CREATE INDEX former_name_entity ON former_name (entity_id);

-- +goose Down
DROP TABLE former_name;
