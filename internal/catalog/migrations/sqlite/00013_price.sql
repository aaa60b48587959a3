-- Custom prices of models.

-- +goose Up
-- rates is a JSON object with US dollars per million tokens.
CREATE TABLE price (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    provider     TEXT    NOT NULL,
    model        TEXT    NOT NULL,
    valid_from   INTEGER NOT NULL,
    rates        TEXT    NOT NULL,
    created_by   TEXT,
    updated_at   INTEGER NOT NULL,
    UNIQUE (workspace_id, provider, model, valid_from)
) STRICT;

-- +goose Down
DROP TABLE price;
