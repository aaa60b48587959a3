-- What must not be stored of request logs and spans.

-- +goose Up
-- rules is a JSON array, in the order in which the rules apply.
CREATE TABLE redaction (
    workspace_id BIGINT PRIMARY KEY REFERENCES workspace (id) ON DELETE CASCADE,
    rules        TEXT COLLATE "C" NOT NULL,
    updated_by   TEXT COLLATE "C",
    updated_at   BIGINT NOT NULL
);

-- +goose Down
DROP TABLE redaction;
