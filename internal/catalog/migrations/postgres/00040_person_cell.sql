-- Cells of evaluation runs that wait for a person.

-- +goose Up
-- state says what is left to do in a run that has not ended: ROWS to be
-- computed, ANSWERS of people to be used, or nothing but WAITING for them.
-- waiting counts the cells that wait.
ALTER TABLE report_run ADD COLUMN state TEXT COLLATE "C" NOT NULL DEFAULT 'ROWS';
ALTER TABLE report_run ADD COLUMN waiting BIGINT NOT NULL DEFAULT 0;

-- asked is NULL if everyone is asked, otherwise the folded addresses, each
-- between line breaks. revision counts the answers, and used is the revision
-- that the run has used. value is JSON, NULL while there is no answer.
CREATE TABLE person_cell (
    run_id       BIGINT NOT NULL REFERENCES report_run (id) ON DELETE CASCADE,
    position     BIGINT NOT NULL,
    column_id    BIGINT NOT NULL,
    workspace_id BIGINT NOT NULL REFERENCES workspace (id),
    asked        TEXT COLLATE "C",
    revision     BIGINT NOT NULL DEFAULT 0,
    used         BIGINT NOT NULL DEFAULT 0,
    value        TEXT COLLATE "C",
    comment      TEXT COLLATE "C",
    author       TEXT COLLATE "C",
    answered_at  BIGINT,
    PRIMARY KEY (run_id, position, column_id)
);

CREATE INDEX person_cell_open ON person_cell (workspace_id, run_id, position, column_id) WHERE revision = 0;
CREATE INDEX person_cell_unused ON person_cell (run_id, position) WHERE used < revision;

-- +goose Down
DROP TABLE person_cell;
ALTER TABLE report_run DROP COLUMN waiting;
ALTER TABLE report_run DROP COLUMN state;
