package catalog_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/eval"
)

// evaluationFilling adds 10,000 evaluations with a run each to a workspace, and
// more entities of other kinds to another one.
var evaluationFilling = []string{
	`INSERT INTO workspace (name, created_at) VALUES ('a', 1), ('b', 1)`,
	`INSERT INTO entity
(id, workspace_id, kind, variant, name, name_folded, tags, creator, created_at, updated_at, deleted_at)` +
		counted + `SELECT n, CASE WHEN n <= 10000 THEN 1 ELSE 2 END, CASE WHEN n <= 10000 THEN 'report' ELSE 'prompt' END, '', 'Evaluation ' || CAST(n AS TEXT),
'EVALUATION ' || CAST(n AS TEXT), '[]', CASE WHEN n % 7 = 0 THEN 'ann@x.test' ELSE 'bob@x.test' END, n, 100000 - n,
CASE WHEN n % 11 = 0 THEN n ELSE NULL END FROM numbered`,
	`INSERT INTO report (entity_id, dataset_id)` + counted + `SELECT n, 1 FROM numbered WHERE n <= 10000`,
	`INSERT INTO report_run (id, workspace_id, report_id, dataset_id, name, tags, row_count, cells, created_at, updated_at)` +
		counted + `SELECT 100000 + n, 1, 1 + n % 10000, 1, 'run ' || CAST(n AS TEXT), '[]', 0, 0, n, n FROM numbered`,
	`INSERT INTO person_cell (run_id, position, column_id, workspace_id, revision)` +
		counted + `SELECT 100000 + n, 0, 1, CASE WHEN n <= 50000 THEN 1 ELSE 2 END, CASE WHEN n % 50 = 0 THEN 0 ELSE 1 END FROM numbered`,
	`INSERT INTO external_id (workspace_id, source, external_id, entity_id, created_at)` +
		counted + `SELECT CASE WHEN n <= 10000 THEN 1 ELSE 2 END, 'cms', CAST(n AS TEXT), n, n FROM numbered`,
}

const counted = `
WITH RECURSIVE numbered (n) AS (
SELECT 1
UNION ALL
SELECT n + 1
FROM numbered
WHERE n < 60000)
`

// listed are reads of lists of evaluations with the index that they use on both
// engines.
var listed = map[string]struct {
	read  func(ctx context.Context, c *catalog.Catalog) error
	index string
}{
	"newest":       {listReports(func(*entity.Query) {}), "entity_created"},
	"oldest":       {listReports(func(q *entity.Query) { q.Ascending = true }), "entity_created"},
	"last changed": {listReports(func(q *entity.Query) { q.Sort = entity.ByUpdated }), "entity_updated"},
	"deleted":      {listReports(func(q *entity.Query) { q.Status = entity.Deleted }), "entity_"},
	"by name":      {listReports(func(q *entity.Query) { q.NameContains = "uation 77" }), "entity_"},
	"by creator":   {listReports(func(q *entity.Query) { q.Creator = new("ann@x.test") }), "entity_"},
	"by time": {listReports(func(q *entity.Query) {
		q.CreatedAfter, q.CreatedBefore = new(time.UnixMicro(500)), new(time.UnixMicro(700))
	}), "entity_created"},
	"by external id": {listReports(func(q *entity.Query) {
		q.ExternalID = &entity.ExternalRef{Source: "cms", ID: "77"}
	}), "external_id"},
	"runs of a page": {func(ctx context.Context, c *catalog.Catalog) error {
		_, err := c.Evaluations.ReportRuns(ctx, 1, []int64{1, 2, 4, 5, 7, 8, 10, 11, 13, 14}, entity.Live, 100)
		return err
	}, "report_run_report"},
	"runs by name": {func(ctx context.Context, c *catalog.Catalog) error {
		_, err := c.Evaluations.LiveReportRuns(ctx, 1, "run 77")
		return err
	}, "report_run_name"},
	"cells that wait": {func(ctx context.Context, c *catalog.Catalog) error {
		_, _, err := c.Evaluations.OpenReportCells(ctx, 1, eval.OpenCellQuery{Page: entity.Page{Limit: 50}})
		return err
	}, "person_cell_open"},
	"evaluations by name": {func(ctx context.Context, c *catalog.Catalog) error {
		_, err := c.Evaluations.LiveReports(ctx, 1, "Evaluation 77")
		return err
	}, "entity_live_name"},
}

func listReports(choose func(query *entity.Query)) func(ctx context.Context, c *catalog.Catalog) error {
	return func(ctx context.Context, c *catalog.Catalog) error {
		query := entity.Query{WorkspaceID: 1, Kinds: []entity.Kind{entity.KindReport}, Page: entity.Page{Limit: 10}}
		choose(&query)
		_, _, err := c.Entities.ListEntities(ctx, query)
		return err
	}
}

// TestListsOfEvaluationsUseIndexes lists pages of 10,000 evaluations.
func TestListsOfEvaluationsUseIndexes(t *testing.T) {
	onFilled(t, evaluationFilling, func(t *testing.T, _ bool, explain explainer) {
		for name, test := range listed {
			plans := strings.Join(explain(name, test.read), "")
			if !strings.Contains(plans, test.index) {
				t.Errorf("%s: %s is not used:\n%s", name, test.index, plans)
			}
			for _, table := range []string{"entity", "report", "report_run", "external_id"} {
				if strings.Contains(plans, "SCAN "+table+"\n") || strings.Contains(plans, "Seq Scan on "+table+" ") {
					t.Errorf("%s: the whole table %s is read:\n%s", name, table, plans)
				}
			}
		}
	})
}
