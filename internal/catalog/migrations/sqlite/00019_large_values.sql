-- Tables with large values are searched by a small index.

-- +goose Up
-- A table WITHOUT ROWID is one tree of whole rows. To compare a key in it, SQLite
-- reads the whole row, so that one value of several megabytes slows down every
-- search that passes it.
CREATE TABLE rebuilt (
    run_id     INTEGER NOT NULL REFERENCES workflow_run (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    status     TEXT    NOT NULL,
    value      TEXT,
    message    TEXT    NOT NULL,
    raw        TEXT    NOT NULL,
    sequence   INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    PRIMARY KEY (run_id, position)
) STRICT;
INSERT INTO rebuilt (run_id, position, status, value, message, raw, sequence, started_at, ended_at)
SELECT run_id, position, status, value, message, raw, sequence, started_at, ended_at FROM workflow_run_node ORDER BY run_id, position;
DROP TABLE workflow_run_node;
ALTER TABLE rebuilt RENAME TO workflow_run_node;

CREATE TABLE rebuilt (
    content_id INTEGER NOT NULL REFERENCES dataset_content (id),
    position   INTEGER NOT NULL,
    cells      TEXT    NOT NULL,
    PRIMARY KEY (content_id, position)
) STRICT;
INSERT INTO rebuilt (content_id, position, cells)
SELECT content_id, position, cells FROM dataset_row ORDER BY content_id, position;
DROP TABLE dataset_row;
ALTER TABLE rebuilt RENAME TO dataset_row;

CREATE TABLE rebuilt (
    run_id   INTEGER NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    cells    TEXT    NOT NULL,
    final    INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT;
INSERT INTO rebuilt (run_id, position, cells, final)
SELECT run_id, position, cells, final FROM report_row ORDER BY run_id, position;
DROP TABLE report_row;
ALTER TABLE rebuilt RENAME TO report_row;

-- +goose Down
CREATE TABLE rebuilt (
    run_id     INTEGER NOT NULL REFERENCES workflow_run (id) ON DELETE CASCADE,
    position   INTEGER NOT NULL,
    status     TEXT    NOT NULL,
    value      TEXT,
    message    TEXT    NOT NULL,
    raw        TEXT    NOT NULL,
    sequence   INTEGER NOT NULL,
    started_at INTEGER,
    ended_at   INTEGER,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO rebuilt (run_id, position, status, value, message, raw, sequence, started_at, ended_at)
SELECT run_id, position, status, value, message, raw, sequence, started_at, ended_at FROM workflow_run_node ORDER BY run_id, position;
DROP TABLE workflow_run_node;
ALTER TABLE rebuilt RENAME TO workflow_run_node;

CREATE TABLE rebuilt (
    content_id INTEGER NOT NULL REFERENCES dataset_content (id),
    position   INTEGER NOT NULL,
    cells      TEXT    NOT NULL,
    PRIMARY KEY (content_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO rebuilt (content_id, position, cells)
SELECT content_id, position, cells FROM dataset_row ORDER BY content_id, position;
DROP TABLE dataset_row;
ALTER TABLE rebuilt RENAME TO dataset_row;

CREATE TABLE rebuilt (
    run_id   INTEGER NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    cells    TEXT    NOT NULL,
    final    INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;
INSERT INTO rebuilt (run_id, position, cells, final)
SELECT run_id, position, cells, final FROM report_row ORDER BY run_id, position;
DROP TABLE report_row;
ALTER TABLE rebuilt RENAME TO report_row;
