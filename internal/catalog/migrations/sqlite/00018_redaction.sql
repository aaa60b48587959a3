-- What must not be stored of request logs and spans.

-- +goose Up
-- rules is a JSON array, in the order in which the rules apply.
CREATE TABLE redaction (
    workspace_id INTEGER PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
    rules        TEXT NOT NULL,
    updated_by   TEXT,
    updated_at   INTEGER NOT NULL
) STRICT;

-- +goose Down
DROP TABLE redaction;
