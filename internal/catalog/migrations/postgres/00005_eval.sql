-- Evaluations and their runs.

-- +goose Up
-- What belongs to an entity of the kind report. dataset_id refers to nothing:
-- an evaluation outlives its dataset. score_code is NULL unless code computes
-- the score.
CREATE TABLE report (
    entity_id      BIGINT PRIMARY KEY REFERENCES entity (id) ON DELETE CASCADE,
    dataset_id     BIGINT NOT NULL,
    comment        TEXT   COLLATE "C",
    score_code     TEXT   COLLATE "C",
    score_language TEXT   COLLATE "C"
);

-- Ids of columns are from one sequence, also those of runs.
CREATE TABLE report_column (
    id            BIGINT PRIMARY KEY,
    report_id     BIGINT NOT NULL REFERENCES report (entity_id) ON DELETE CASCADE,
    position      BIGINT NOT NULL,
    type          TEXT   COLLATE "C" NOT NULL,
    name          TEXT   COLLATE "C" NOT NULL,
    configuration TEXT   COLLATE "C" NOT NULL,
    scored        BIGINT NOT NULL
);

CREATE INDEX report_column_report ON report_column (report_id, position);

-- A run's id is from the sequence of entities. revision counts the changes of
-- what decides the score. completed, failed and running count cells; cells is
-- how many there are in all. score and score_matrix are JSON.
CREATE TABLE report_run (
    id             BIGINT PRIMARY KEY,
    workspace_id   BIGINT NOT NULL REFERENCES workspace (id),
    report_id      BIGINT NOT NULL REFERENCES report (entity_id) ON DELETE CASCADE,
    dataset_id     BIGINT NOT NULL,
    name           TEXT   COLLATE "C" NOT NULL,
    tags           TEXT   COLLATE "C" NOT NULL,
    comment        TEXT   COLLATE "C",
    score_code     TEXT   COLLATE "C",
    score_language TEXT   COLLATE "C",
    revision       BIGINT NOT NULL DEFAULT 0,
    row_count      BIGINT NOT NULL,
    cells          BIGINT NOT NULL,
    completed      BIGINT NOT NULL DEFAULT 0,
    failed         BIGINT NOT NULL DEFAULT 0,
    running        BIGINT NOT NULL DEFAULT 0,
    score          TEXT   COLLATE "C",
    score_matrix   TEXT   COLLATE "C",
    score_failure  TEXT   COLLATE "C",
    creator        TEXT   COLLATE "C",
    created_at     BIGINT NOT NULL,
    updated_at     BIGINT NOT NULL,
    ended_at       BIGINT,
    end_note       TEXT   COLLATE "C" NOT NULL DEFAULT '',
    archived_at    BIGINT
);

CREATE INDEX report_run_report ON report_run (report_id, id);
CREATE INDEX report_run_name ON report_run (workspace_id, name) WHERE archived_at IS NULL;

-- score is a JSON number, NULL where there is none.
CREATE TABLE report_run_column (
    id            BIGINT PRIMARY KEY,
    run_id        BIGINT NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position      BIGINT NOT NULL,
    type          TEXT   COLLATE "C" NOT NULL,
    name          TEXT   COLLATE "C" NOT NULL,
    configuration TEXT   COLLATE "C" NOT NULL,
    scored        BIGINT NOT NULL,
    score         TEXT   COLLATE "C"
);

CREATE INDEX report_run_column_run ON report_run_column (run_id, position);

-- What has become of the cells of a row; nothing where nothing has. final says
-- that nothing more happens to it.
CREATE TABLE report_row (
    run_id   BIGINT NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    cells    TEXT   COLLATE "C" NOT NULL,
    final    BIGINT NOT NULL,
    PRIMARY KEY (run_id, position)
);

-- +goose Down
DROP TABLE report_row;
DROP TABLE report_run_column;
DROP TABLE report_run;
DROP TABLE report_column;
DROP TABLE report;
