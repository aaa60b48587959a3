-- Skill collections: what they have beside their entities, and their files.

-- +goose Up
-- provider is empty where the files are for everybody. created_by and
-- updated_by are accounts, NULL where a key acted.
CREATE TABLE skill (
    entity_id  INTEGER PRIMARY KEY REFERENCES entity (id) ON DELETE CASCADE,
    provider   TEXT    NOT NULL,
    created_by INTEGER,
    updated_by INTEGER
) STRICT;

-- The bytes of files by their SHA-256. Versions name them in their bodies, so
-- that a file takes no more room however many versions have it. Workspaces do
-- not share any.
CREATE TABLE skill_content (
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    hash         BLOB    NOT NULL,
    content      BLOB    NOT NULL,
    PRIMARY KEY (workspace_id, hash)
) STRICT;

-- +goose Down
DROP TABLE skill_content;
DROP TABLE skill;
