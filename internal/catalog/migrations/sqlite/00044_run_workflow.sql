-- The versions of workflows that columns of evaluation runs have run, and an
-- index of the rows that people have answered.

-- +goose Up
-- runs is how often the column has run the version.
CREATE TABLE report_run_workflow (
    run_id      INTEGER NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    column_id   INTEGER NOT NULL,
    workflow_id INTEGER NOT NULL,
    version     INTEGER NOT NULL,
    runs        INTEGER NOT NULL,
    PRIMARY KEY (run_id, column_id, workflow_id, version)
) STRICT, WITHOUT ROWID;

CREATE INDEX person_cell_answered ON person_cell (run_id, position) WHERE revision > 0;

-- +goose Down
DROP INDEX person_cell_answered;
DROP TABLE report_run_workflow;
