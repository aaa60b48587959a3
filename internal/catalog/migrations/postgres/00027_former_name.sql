-- Names that entities had before they were renamed.

-- +goose Up
-- A name leads to its entity until another entity of the kind takes it.
CREATE TABLE former_name (
    workspace_id BIGINT NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    kind         TEXT COLLATE "C" NOT NULL,
    name         TEXT COLLATE "C" NOT NULL,
    entity_id    BIGINT NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    PRIMARY KEY (workspace_id, kind, name)
);

CREATE INDEX former_name_entity ON former_name (entity_id);

-- +goose Down
DROP TABLE former_name;
