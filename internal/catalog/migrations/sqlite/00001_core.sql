-- The core every kind stands on. Times are microseconds since 1970, JSON is
-- TEXT, and text compares byte by byte (SQLite's default collation, BINARY).

-- +goose Up
-- roles_required says that a caller without a role may only read.
CREATE TABLE workspace (
    id             INTEGER PRIMARY KEY AUTOINCREMENT,
    name           TEXT    NOT NULL UNIQUE,
    roles_required INTEGER NOT NULL DEFAULT 0,
    created_at     INTEGER NOT NULL,
    disabled_at    INTEGER
) STRICT;

-- roles is the JSON of the roles' names.
CREATE TABLE api_key (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    hash         BLOB    NOT NULL UNIQUE,
    name         TEXT    NOT NULL,
    last_four    TEXT    NOT NULL,
    owner_email  TEXT,
    roles        TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    expires_at   INTEGER,
    last_used_at INTEGER,
    revoked_at   INTEGER
) STRICT;

CREATE INDEX api_key_workspace ON api_key (workspace_id, id);

-- The one sequence that entities of every kind and their versions draw from,
-- so that a number names one thing only.
CREATE TABLE shared_id (
    id INTEGER PRIMARY KEY AUTOINCREMENT
) STRICT;

-- name_folded is the name as the case-insensitive search compares it.
-- name_scope says where the name must be unique among live entities of the
-- kind: 0 in the workspace (for folders: among those at the root), a folder's
-- id among its children, NULL nowhere. tags is the JSON of the list as it was
-- sent, so that reading an entity takes one row; entity_tag is for the search.
CREATE TABLE entity (
    id           INTEGER PRIMARY KEY,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    kind         TEXT    NOT NULL,
    variant      TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    name_folded  TEXT    NOT NULL,
    name_scope   INTEGER,
    folder_id    INTEGER REFERENCES entity (id),
    tags         TEXT    NOT NULL,
    creator      TEXT,
    last_version INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    deleted_at   INTEGER
) STRICT;

-- NULLs are distinct to a unique index, so kinds without a rule never clash.
CREATE UNIQUE INDEX entity_live_name ON entity (workspace_id, kind, name, name_scope) WHERE deleted_at IS NULL;
CREATE INDEX entity_folder ON entity (folder_id);
CREATE INDEX entity_created ON entity (workspace_id, kind, created_at, id);
CREATE INDEX entity_updated ON entity (workspace_id, kind, updated_at, id);
CREATE INDEX entity_variant ON entity (workspace_id, kind, variant, created_at, id);

-- workspace_id repeats the entity's, so that the key finds a tag of one
-- workspace among those of all.
CREATE TABLE entity_tag (
    workspace_id INTEGER NOT NULL,
    tag          TEXT    NOT NULL,
    entity_id    INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    PRIMARY KEY (workspace_id, tag, entity_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX entity_tag_entity ON entity_tag (entity_id);

CREATE TABLE version (
    id             INTEGER PRIMARY KEY,
    entity_id      INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    number         INTEGER NOT NULL,
    body           TEXT    NOT NULL,
    commit_message TEXT,
    creator        TEXT,
    created_at     INTEGER NOT NULL,
    UNIQUE (entity_id, number)
) STRICT;

-- What a version refers to by name: the version with the number, or the one
-- the label points at, or the latest when both are NULL. position is the order
-- in which the version names them.
CREATE TABLE version_reference (
    version_id   INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    position     INTEGER NOT NULL,
    workspace_id INTEGER NOT NULL,
    name         TEXT    NOT NULL,
    number       INTEGER,
    label        TEXT,
    PRIMARY KEY (version_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX version_reference_name ON version_reference (workspace_id, name, version_id);

CREATE TABLE label (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    entity_id  INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    name       TEXT    NOT NULL,
    version_id INTEGER NOT NULL REFERENCES version (id) ON DELETE CASCADE,
    created_at INTEGER NOT NULL,
    UNIQUE (entity_id, name)
) STRICT;

CREATE INDEX label_version ON label (version_id);

-- An AB test is an entity whose versions are its configurations. It does not
-- go with its label by itself: its entity must go too, and whoever forgets
-- that finds the label in use.
CREATE TABLE ab_test (
    entity_id INTEGER PRIMARY KEY REFERENCES entity (id) ON DELETE CASCADE,
    label_id  INTEGER NOT NULL UNIQUE REFERENCES label (id),
    prompt_id INTEGER NOT NULL REFERENCES entity (id)
) STRICT;

CREATE INDEX ab_test_prompt ON ab_test (prompt_id);

CREATE TABLE external_id (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    source       TEXT    NOT NULL,
    external_id  TEXT    NOT NULL,
    entity_id    INTEGER NOT NULL REFERENCES entity (id) ON DELETE CASCADE,
    created_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, source, external_id)
) STRICT;

CREATE INDEX external_id_entity ON external_id (entity_id, id);

-- An environment variable of a tool, or of the workspace when entity_id is
-- NULL. value is sealed, NULL for a placeholder. suffix is the readable end of
-- the value, so that a list needs no key.
CREATE TABLE env_var (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    entity_id    INTEGER REFERENCES entity (id) ON DELETE CASCADE,
    name         TEXT    NOT NULL,
    value        BLOB,
    suffix       TEXT    NOT NULL,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL
) STRICT;

CREATE UNIQUE INDEX env_var_workspace_name ON env_var (workspace_id, name) WHERE entity_id IS NULL;
CREATE UNIQUE INDEX env_var_entity_name ON env_var (entity_id, name);

CREATE TABLE request_group (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id),
    created_at   INTEGER NOT NULL
) STRICT;

-- last is the highest number of the sequence that was handed out.
CREATE TABLE id_block (
    name TEXT    PRIMARY KEY NOT NULL,
    last INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE id_block;
DROP TABLE request_group;
DROP TABLE env_var;
DROP TABLE external_id;
DROP TABLE ab_test;
DROP TABLE label;
DROP TABLE version_reference;
DROP TABLE version;
DROP TABLE entity_tag;
DROP TABLE entity;
DROP TABLE shared_id;
DROP TABLE api_key;
DROP TABLE workspace;
