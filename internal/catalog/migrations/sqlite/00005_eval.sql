-- Evaluations and their runs.

-- +goose Up
-- What belongs to an entity of the kind report. dataset_id refers to nothing:
-- an evaluation outlives its dataset. score_code is NULL unless code computes
-- the score.
CREATE TABLE report (
    entity_id      INTEGER PRIMARY KEY REFERENCES entity (id) ON DELETE CASCADE,
    dataset_id     INTEGER NOT NULL,
    comment        TEXT,
    score_code     TEXT,
    score_language TEXT
) STRICT;

-- Ids of columns are from one sequence, also those of runs.
CREATE TABLE report_column (
    id            INTEGER PRIMARY KEY,
    report_id     INTEGER NOT NULL REFERENCES report (entity_id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    type          TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    configuration TEXT    NOT NULL,
    scored        INTEGER NOT NULL
) STRICT;

CREATE INDEX report_column_report ON report_column (report_id, position);

-- A run's id is from the sequence of entities. revision counts the changes of
-- what decides the score. completed, failed and running count cells; cells is
-- how many there are in all. score and score_matrix are JSON.
CREATE TABLE report_run (
    id             INTEGER PRIMARY KEY,
    workspace_id   INTEGER NOT NULL REFERENCES workspace (id),
    report_id      INTEGER NOT NULL REFERENCES report (entity_id) ON DELETE CASCADE,
    dataset_id     INTEGER NOT NULL,
    name           TEXT    NOT NULL,
    tags           TEXT    NOT NULL,
    comment        TEXT,
    score_code     TEXT,
    score_language TEXT,
    revision       INTEGER NOT NULL DEFAULT 0,
    row_count      INTEGER NOT NULL,
    cells          INTEGER NOT NULL,
    completed      INTEGER NOT NULL DEFAULT 0,
    failed         INTEGER NOT NULL DEFAULT 0,
    running        INTEGER NOT NULL DEFAULT 0,
    score          TEXT,
    score_matrix   TEXT,
    score_failure  TEXT,
    creator        TEXT,
    created_at     INTEGER NOT NULL,
    updated_at     INTEGER NOT NULL,
    ended_at       INTEGER,
    end_note       TEXT    NOT NULL DEFAULT '',
    archived_at    INTEGER
) STRICT;

CREATE INDEX report_run_report ON report_run (report_id, id);
CREATE INDEX report_run_name ON report_run (workspace_id, name) WHERE archived_at IS NULL;

-- score is a JSON number, NULL where there is none.
CREATE TABLE report_run_column (
    id            INTEGER PRIMARY KEY,
    run_id        INTEGER NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position      INTEGER NOT NULL,
    type          TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    configuration TEXT    NOT NULL,
    scored        INTEGER NOT NULL,
    score         TEXT
) STRICT;

CREATE INDEX report_run_column_run ON report_run_column (run_id, position);

-- What has become of the cells of a row; nothing where nothing has. final says
-- that nothing more happens to it.
CREATE TABLE report_row (
    run_id   INTEGER NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    cells    TEXT    NOT NULL,
    final    INTEGER NOT NULL,
    PRIMARY KEY (run_id, position)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE report_row;
DROP TABLE report_run_column;
DROP TABLE report_run;
DROP TABLE report_column;
DROP TABLE report;
