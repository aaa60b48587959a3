package catalog_test

import (
	"context"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/dataset"
	"github.com/promptuary/promptuary/internal/entity"
)

// datasetFilling distributes datasets over two workspaces; every group has one,
// and every tenth has rows from one of many prompts.
var datasetFilling = []string{
	`INSERT INTO workspace (name, created_at) VALUES ('a', 1), ('b', 1)`,
	`INSERT INTO entity
(id, workspace_id, kind, variant, name, name_folded, name_scope, tags, last_version, created_at, updated_at)` +
		numbered + `SELECT n, 1 + n / 2501, 'dataset', '', CAST(n AS TEXT), CAST(n AS TEXT), 0, '[]', 1, n, n FROM numbered`,
	`INSERT INTO version (id, entity_id, number, body, created_at)` +
		numbered + `SELECT 10000 + n, n, 1, '{}', n FROM numbered`,
	`INSERT INTO label (id, entity_id, name, version_id, created_at)` +
		numbered + `SELECT n, n, 'prod', 10000 + n, n FROM numbered`,
	`INSERT INTO external_id (workspace_id, source, external_id, entity_id, created_at)` +
		numbered + `SELECT 1 + n / 2501, 'cms', CAST(n AS TEXT), n, n FROM numbered`,
	`INSERT INTO dataset_content (id, workspace_id, loose_since)` +
		numbered + `SELECT n, 1 + n / 2501, CASE WHEN n > 4990 THEN n END FROM numbered`,
	`INSERT INTO dataset_row (content_id, position, cells)` +
		numbered + `SELECT n % 10 + 1, n / 10, '["x"]' FROM numbered`,
	`INSERT INTO dataset_prompt (content_id, prompt_id, prompt_version)` +
		numbered + `SELECT n, n % 1000, 1 FROM numbered WHERE n % 10 = 0`,
	`INSERT INTO dataset (version_id, workspace_id, group_id, content_id, row_count, created_at, updated_at)` +
		numbered + `SELECT 10000 + n, 1 + n / 2501, n, n, 0, n, n FROM numbered`,
}

// datasetPlans are reads that must stay fast with any number of datasets and rows,
// with parts of their plans.
var datasetPlans = map[string]plannedRead{
	"rows of a page": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Datasets.ReadRows(ctx, 3, 400, 10, 1<<20)
			return err
		},
		[]string{"dataset_row USING INDEX sqlite_autoindex_dataset_row_1 (content_id=? AND position>? AND position<?)"},
		[]string{"dataset_row_pkey"},
	},
	"dataset": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Datasets.GetDataset(ctx, 1, 10007)
			return err
		},
		[]string{"dataset USING INTEGER PRIMARY KEY", "version USING INTEGER PRIMARY KEY", "entity USING INTEGER PRIMARY KEY"},
		[]string{"dataset_pkey", "version_pkey", "entity_pkey"},
	},
	"dataset by number": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Datasets.FindDataset(ctx, 1, 7, 1)
			return err
		},
		[]string{"version_1 (entity_id=? AND number=?)"},
		[]string{"version_entity_id_number_key", "entity_pkey"},
	},
	"newest dataset of a group": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Datasets.FindDataset(ctx, 1, 7, 0)
			return err
		},
		[]string{"entity USING INTEGER PRIMARY KEY", "version_1 (entity_id=? AND number=?)"},
		[]string{"version_entity_id_number_key"},
	},
	"newest datasets": {
		listDatasets(dataset.ListQuery{}),
		[]string{"dataset_created (workspace_id=?)"},
		[]string{"dataset_created"},
	},
	"datasets changed last": {
		listDatasets(dataset.ListQuery{Filters: entity.Query{Sort: entity.ByUpdated}}),
		[]string{"dataset_updated (workspace_id=?)"},
		[]string{"dataset_updated"},
	},
	"datasets by name": {
		listDatasets(dataset.ListQuery{Filters: entity.Query{Sort: entity.ByName, Ascending: true}}),
		[]string{"entity_live_name (workspace_id=? AND kind=?)", "dataset_group (group_id=?)"},
		nil, // joining and sorting everything costs as much
	},
	"datasets of a group": {
		listDatasets(dataset.ListQuery{GroupID: new(int64(7))}),
		[]string{"dataset_group (group_id=?)"},
		[]string{"dataset_group"},
	},
	"datasets of a prompt": {
		listDatasets(dataset.ListQuery{PromptID: new(int64(7))}),
		[]string{"dataset_prompt USING PRIMARY KEY (prompt_id=?)"},
		[]string{"dataset_prompt_pkey"},
	},
	"datasets of a version of a prompt": {
		listDatasets(dataset.ListQuery{PromptVersionID: new(int64(10007))}),
		[]string{"dataset_prompt USING PRIMARY KEY (prompt_id=? AND prompt_version=?)"},
		[]string{"dataset_prompt_pkey"},
	},
	"datasets of a label": {
		listDatasets(dataset.ListQuery{PromptLabelID: new(int64(7))}),
		[]string{"label USING INTEGER PRIMARY KEY", "dataset_prompt USING PRIMARY KEY (prompt_id=? AND prompt_version=?)"},
		[]string{"label_pkey", "dataset_prompt_pkey"},
	},
	"datasets by external id": {
		listDatasets(dataset.ListQuery{Filters: entity.Query{ExternalID: &entity.ExternalRef{Source: "cms", ID: "7"}}}),
		[]string{"external_id USING INDEX sqlite_autoindex_external_id_1 (workspace_id=? AND source=? AND external_id=?)"},
		[]string{"external_id_workspace_id_source_external_id_key"},
	},
	"content that nobody has": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Datasets.LooseContent(ctx, entity.Entity{}.CreatedAt)
			return err
		},
		[]string{"dataset_content_loose (loose_since<?)"},
		[]string{"dataset_content_loose"},
	},
}

func listDatasets(query dataset.ListQuery) func(ctx context.Context, c *catalog.Catalog) error {
	return func(ctx context.Context, c *catalog.Catalog) error {
		query.Filters.WorkspaceID, query.Filters.Page = 1, entity.Page{Limit: 10}
		_, _, err := c.Datasets.ListDatasets(ctx, query)
		return err
	}
}

func TestDatasetPlans(t *testing.T) {
	onFilled(t, datasetFilling, func(t *testing.T, postgres bool, explain explainer) {
		for name, test := range datasetPlans {
			// A count follows a full page; it may read the whole list.
			first, parts := explain(name, test.read)[0], test.parts(postgres)
			checkPlan(t, name, first, parts)
			if parts != nil && (strings.Contains(first, "SCAN dataset\n") || strings.Contains(first, "Seq Scan on dataset ")) {
				t.Errorf("%s: the whole table dataset is read:\n%s", name, first)
			}
		}
	})
}
