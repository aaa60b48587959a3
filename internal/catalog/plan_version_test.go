package catalog_test

import (
	"context"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/workflow/run"
)

// versionFilling adds entities with many versions and runs; one run in fifty has
// failed.
var versionFilling = []string{
	`INSERT INTO workspace (name, created_at) VALUES ('a', 1), ('b', 1)`,
	`INSERT INTO entity
(id, workspace_id, kind, variant, name, name_folded, name_scope, tags, last_version, created_at, updated_at)` +
		numbered + `SELECT n, 1 + n / 2501, 'workflow', '', CAST(n AS TEXT), CAST(n AS TEXT), 0, '[]', 1, n, n FROM numbered`,
	`INSERT INTO version (id, entity_id, number, body, created_at)` +
		numbered + `SELECT 10000 + n, 1 + n % 50, n, '{}', n FROM numbered`,
	`INSERT INTO label (id, entity_id, name, version_id, created_at)` +
		numbered + `SELECT n, 1 + n % 50, CAST(n AS TEXT), 10000 + n, n FROM numbered`,
	`INSERT INTO workflow_run
(id, workspace_id, workflow_id, version_id, inputs, metadata, all_outputs, callback_url, channel, started_by, created_at, status)` +
		numbered + `SELECT n, 1, 1 + n % 10, 10001 + n % 10, '{}', '{}', 0, '', '', '', n,
CASE WHEN n % 500 < 10 THEN 'FAILED' ELSE 'SUCCESS' END FROM numbered`,
}

var versionPlans = map[string]plannedRead{
	"versions of an entity": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Entities.EachVersion(ctx, 1, 7, entity.Page{Limit: 10}, func(*entity.Version) error { return nil })
			return err
		},
		[]string{"version_1 (entity_id=?)"},
		[]string{"version_entity_id_number_key"},
	},
	"labels of versions": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Entities.LabelsByVersion(ctx, 1, []int64{10007, 10057})
			return err
		},
		[]string{"label_version (version_id=?)"},
		[]string{"label_version"},
	},
	"runs of a workflow": {
		listRuns(run.ListQuery{WorkflowID: 7}),
		[]string{"workflow_run_workflow (workflow_id=?)", "workflow_run USING INTEGER PRIMARY KEY"},
		nil, // with so few rows a scan costs as much
	},
	"dry runs of a workflow": {
		listRuns(run.ListQuery{WorkflowID: 7, DryRuns: run.OnlyDryRuns}),
		[]string{"workflow_run_dry (workflow_id=?)", "workflow_run USING INTEGER PRIMARY KEY"},
		nil, // there are none, so any plan is as good
	},
	"runs of an evaluation": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, _, err := c.Evaluations.ListReportRuns(ctx, 1, 7, entity.Live, entity.Page{Limit: 10})
			return err
		},
		[]string{"report_run_report (report_id=?)"},
		nil, // the table is empty, so any plan is as good
	},
	"runs of a workflow that failed": {
		listRuns(run.ListQuery{WorkflowID: 7, Status: run.Failed}),
		[]string{"workflow_run_status (workflow_id=? AND status=?)"},
		[]string{"workflow_run_status"},
	},
}

func listRuns(query run.ListQuery) func(ctx context.Context, c *catalog.Catalog) error {
	return func(ctx context.Context, c *catalog.Catalog) error {
		query.Page = entity.Page{Limit: 10}
		_, _, err := c.Runs.ListRuns(ctx, 1, query)
		return err
	}
}

func TestVersionPlans(t *testing.T) {
	onFilled(t, versionFilling, func(t *testing.T, postgres bool, explain explainer) {
		for name, test := range versionPlans {
			checkPlan(t, name, explain(name, test.read)[0], test.parts(postgres))
		}
	})
}
