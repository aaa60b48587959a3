-- Datasets: what their versions hold.

-- +goose Up
-- The rows of one dataset. loose_since is NULL when a dataset has them, and
-- else when they were last written to: what is loose for long was left by a
-- process that ended, or replaced. It is 0 while they are being removed.
CREATE TABLE dataset_content (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    loose_since  INTEGER
) STRICT;

CREATE INDEX dataset_content_loose ON dataset_content (loose_since) WHERE loose_since IS NOT NULL;

-- cells is a JSON array in the order of the columns; what is missing at its
-- end is null. Positions run from 0 without a gap.
CREATE TABLE dataset_row (
    content_id INTEGER NOT NULL REFERENCES dataset_content (id),
    position   INTEGER NOT NULL,
    cells      TEXT    NOT NULL,
    PRIMARY KEY (content_id, position)
) STRICT, WITHOUT ROWID;

-- The versions of prompts that rows were made from.
CREATE TABLE dataset_prompt (
    content_id     INTEGER NOT NULL REFERENCES dataset_content (id),
    prompt_id      INTEGER NOT NULL,
    prompt_version INTEGER NOT NULL,
    PRIMARY KEY (prompt_id, prompt_version, content_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX dataset_prompt_content ON dataset_prompt (content_id);

-- What a version of a dataset group has beside its body. The workspace and the
-- time of creation are repeated, so that a list is read in its order.
CREATE TABLE dataset (
    version_id   INTEGER PRIMARY KEY REFERENCES version (id) ON DELETE CASCADE,
    workspace_id INTEGER NOT NULL,
    group_id     INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    content_id   INTEGER NOT NULL UNIQUE REFERENCES dataset_content (id),
    row_count    INTEGER NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

CREATE INDEX dataset_group ON dataset (group_id, created_at, version_id);
CREATE INDEX dataset_created ON dataset (workspace_id, created_at, version_id);
CREATE INDEX dataset_updated ON dataset (workspace_id, updated_at, version_id);

-- +goose Down
DROP TABLE dataset;
DROP TABLE dataset_prompt;
DROP TABLE dataset_row;
DROP TABLE dataset_content;
