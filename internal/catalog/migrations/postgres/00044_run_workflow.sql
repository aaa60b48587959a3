-- The versions of workflows that columns of evaluation runs have run, and an
-- index of the rows that people have answered.

-- +goose Up
-- runs is how often the column has run the version.
CREATE TABLE report_run_workflow (
    run_id      BIGINT NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    column_id   BIGINT NOT NULL,
    workflow_id BIGINT NOT NULL,
    version     BIGINT NOT NULL,
    runs        BIGINT NOT NULL,
    PRIMARY KEY (run_id, column_id, workflow_id, version)
);

CREATE INDEX person_cell_answered ON person_cell (run_id, position) WHERE revision > 0;

-- +goose Down
DROP INDEX person_cell_answered;
DROP TABLE report_run_workflow;
