-- Runs of definitions that are not versions.

-- +goose Up
-- dry_run is 1 for a run of edits of its version. What it runs is its definition.
ALTER TABLE workflow_run ADD COLUMN dry_run INTEGER NOT NULL DEFAULT 0;

CREATE INDEX workflow_run_dry ON workflow_run (workflow_id, id) WHERE dry_run = 1;

-- The definition of a dry run, apart because it is large and lists do not need it.
CREATE TABLE workflow_run_definition (
    run_id     INTEGER NOT NULL PRIMARY KEY REFERENCES workflow_run (id) ON DELETE CASCADE,
    definition TEXT NOT NULL
) STRICT;

-- +goose Down
DROP TABLE workflow_run_definition;
DROP INDEX workflow_run_dry;
ALTER TABLE workflow_run DROP COLUMN dry_run;
