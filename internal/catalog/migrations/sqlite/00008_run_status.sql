-- What became of runs of workflows, so that lists can choose by it.

-- +goose Up
-- status is RUNNING until ended_at is there. Of runs that ended before it was
-- kept only their nodes are known.
ALTER TABLE workflow_run ADD COLUMN status TEXT NOT NULL DEFAULT 'RUNNING';

UPDATE workflow_run
SET status = CASE WHEN EXISTS (
    SELECT 1
    FROM workflow_run_node
    WHERE workflow_run_node.run_id = workflow_run.id
    AND workflow_run_node.status = 'FAILED') THEN 'FAILED' ELSE 'SUCCESS' END
WHERE ended_at IS NOT NULL;

CREATE INDEX workflow_run_status ON workflow_run (workflow_id, status, id);

-- +goose Down
DROP INDEX workflow_run_status;
ALTER TABLE workflow_run DROP COLUMN status;
