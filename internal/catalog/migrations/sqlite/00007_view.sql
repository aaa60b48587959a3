-- Saved views of request logs, and dashboards.

-- +goose Up
-- page is empty for a dashboard, charts is for a view. size is how many bytes
-- state and charts have together, so that the room they take is counted
-- without reading them.
CREATE TABLE saved_view (
    id           INTEGER PRIMARY KEY AUTOINCREMENT,
    workspace_id INTEGER NOT NULL REFERENCES workspace (id) ON DELETE CASCADE,
    kind         TEXT    NOT NULL,
    name         TEXT    NOT NULL,
    page         TEXT    NOT NULL,
    size         INTEGER NOT NULL,
    created_by   TEXT,
    created_at   INTEGER NOT NULL,
    updated_at   INTEGER NOT NULL,
    state        TEXT    NOT NULL,
    charts       TEXT    NOT NULL,
    UNIQUE (workspace_id, kind, name)
) STRICT;

-- +goose Down
DROP TABLE saved_view;
