-- Skill collections: what they have beside their entities, and their files.

-- +goose Up
-- provider is empty where the files are for everybody. created_by and
-- updated_by are accounts, NULL where a key acted.
CREATE TABLE skill (
    entity_id  BIGINT PRIMARY KEY REFERENCES entity (id) ON DELETE CASCADE,
    provider   TEXT   COLLATE "C" NOT NULL,
    created_by BIGINT,
    updated_by BIGINT
);

-- The bytes of files by their SHA-256. Versions name them in their bodies, so
-- that a file takes no more room however many versions have it. Workspaces do
-- not share any.
CREATE TABLE skill_content (
    workspace_id BIGINT NOT NULL REFERENCES workspace (id),
    hash         BYTEA  NOT NULL,
    content      BYTEA  NOT NULL,
    PRIMARY KEY (workspace_id, hash)
);

-- +goose Down
DROP TABLE skill_content;
DROP TABLE skill;
