package catalog_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

// planned are reads that must stay fast with any number of entities. Each has the
// parts of its plan that name the indexes, on SQLite and on PostgreSQL; no table
// may be scanned.
var planned = map[string]plannedRead{
	"latest version by name": {
		find(entity.Selector{Name: "1"}),
		[]string{"entity_live_name (workspace_id=? AND kind=? AND name=?)", "version_1 (entity_id=? AND number=?)"},
		[]string{"entity_live_name", "version_entity_id_number_key"},
	},
	"version by name and label": {
		find(entity.Selector{Name: "1", Label: "prod"}),
		[]string{"entity_live_name (workspace_id=? AND kind=? AND name=?)", "label_1 (entity_id=? AND name=?)"},
		[]string{"entity_live_name", "label_entity_id_name_key", "version_pkey"},
	},
	"version by id and number": {
		find(entity.Selector{ID: 1, Number: 1}),
		[]string{"entity USING INTEGER PRIMARY KEY", "version_1 (entity_id=? AND number=?)"},
		[]string{"entity_pkey", "version_entity_id_number_key"},
	},
	"version by id or name": {
		find(entity.Selector{ID: 0x7fffffff, Name: "1"}),
		[]string{"entity USING INTEGER PRIMARY KEY", "entity_live_name (workspace_id=? AND kind=? AND name=?)"},
		[]string{"entity_pkey", "entity_live_name"},
	},
	"versions of many names": {
		func(ctx context.Context, c *catalog.Catalog) error {
			references := []entity.Reference{{Name: "1"}, {Name: "3", Number: 1}, {Name: "5", Label: "prod"}}
			_, err := c.Entities.VersionsByName(ctx, 1, entity.KindPrompt, references)
			return err
		},
		[]string{"entity_live_name (workspace_id=? AND kind=? AND name=?)", "label_1 (entity_id=? AND name=?)",
			"chosen USING COVERING INDEX", "version USING INTEGER PRIMARY KEY"},
		[]string{"entity_live_name", "label_entity_id_name_key", "version_entity_id_number_key", "version_pkey"},
	},
	"references": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Entities.ListReferences(ctx, 1, "7")
			return err
		},
		[]string{"version_reference_name (workspace_id=? AND name=?)"},
		[]string{"version_reference_name", "version_pkey", "entity_pkey"},
	},
	"entities by tags": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, _, err := c.Entities.ListEntities(ctx, entity.Query{
				WorkspaceID: 1, Kinds: []entity.Kind{entity.KindPrompt}, Tags: []string{"t7", "t8"},
			})
			return err
		},
		[]string{"entity_tag USING PRIMARY KEY (workspace_id=? AND tag=?)", "(workspace_id=? AND tag=? AND entity_id=?)"},
		[]string{"entity_tag_pkey", "entity_pkey"},
	},
	"entities by variant": {
		func(ctx context.Context, c *catalog.Catalog) error {
			variant := "snippet"
			_, _, err := c.Entities.ListEntities(ctx, entity.Query{
				WorkspaceID: 1, Kinds: []entity.Kind{entity.KindPrompt}, Variant: &variant, Page: entity.Page{Limit: 100},
			})
			return err
		},
		[]string{"entity_variant (workspace_id=? AND kind=? AND variant=?)"},
		[]string{"entity_variant"},
	},
	"ids of many names": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Entities.EntitiesByName(ctx, 1, entity.KindPrompt, []string{"1", "3"})
			return err
		},
		[]string{"entity_live_name (workspace_id=? AND kind=? AND name=?)"},
		[]string{"entity_live_name"},
	},
	"deleted entities of many names": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Entities.DeletedByName(ctx, 1, entity.KindPrompt, []string{"1", "3"})
			return err
		},
		[]string{"entity_deleted_name (workspace_id=? AND kind=? AND name=?)"},
		[]string{"entity_deleted_name"},
	},
	"external ids of a page": {
		func(ctx context.Context, c *catalog.Catalog) error {
			ids := make([]int64, 100)
			for i := range ids {
				ids[i] = int64(i + 1)
			}
			_, err := c.Entities.ExternalIDsByEntity(ctx, 1, ids)
			return err
		},
		[]string{"external_id_entity (entity_id=?)"},
		[]string{"external_id"},
	},
	"AB test of a label": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, _, err := c.Entities.FindABTestByLabel(ctx, 1, 7)
			return err
		},
		[]string{"ab_test_1 (label_id=?)"},
		nil, // the table is empty, so any plan is as good
	},
	"audit log of a workspace": {
		listAudit(audit.Query{WorkspaceID: new(int64(1))}),
		[]string{"audit_entry_workspace (workspace_id=?)"},
		[]string{"audit_entry_workspace"},
	},
	"next page of the audit log": {
		listAudit(audit.Query{WorkspaceID: new(int64(1)), Before: 2000}),
		[]string{"audit_entry_workspace (workspace_id=? AND id<?)"},
		[]string{"audit_entry_workspace"},
	},
	"audit log behind an entry": {
		listAudit(audit.Query{WorkspaceID: new(int64(1)), After: 2000, Before: 4000, OldestFirst: true}),
		[]string{"audit_entry_workspace (workspace_id=? AND id>? AND id<?)"},
		[]string{"audit_entry_workspace"},
	},
	"audit log of the installation": {
		listAudit(audit.Query{}),
		[]string{"audit_entry_workspace (workspace_id=?)"},
		[]string{"Index Cond: (workspace_id IS NULL)"},
	},
	"audit log of an entity": {
		listAudit(audit.Query{WorkspaceID: new(int64(1)), SubjectKind: "prompt", SubjectID: new(int64(7))}),
		[]string{"audit_entry_subject (workspace_id=? AND subject_kind=? AND subject_id=?)"},
		[]string{"audit_entry_subject"},
	},
	"audit log of a skill collection": {
		listAudit(audit.Query{WorkspaceID: new(int64(1)), SubjectUUID: "0f8fad5b-d9cb-469f-a165-70867728950e"}),
		[]string{"audit_entry_subject (workspace_id=? AND subject_kind=? AND subject_id=?)", "entity_uuid (workspace_id=? AND kind=? AND uuid=?)"},
		[]string{"audit_entry_subject", "entity_uuid"},
	},
	"session": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Accounts.FindSession(ctx, access.HashOf("s"))
			return absent(err)
		},
		[]string{"session USING PRIMARY KEY (hash=?)", "account USING INTEGER PRIMARY KEY"},
		nil, // the table is empty, so any plan is as good
	},
	"key": {
		func(ctx context.Context, c *catalog.Catalog) error {
			_, err := c.Accounts.FindKey(ctx, access.HashOf("k"))
			return absent(err)
		},
		[]string{"api_key USING INDEX sqlite_autoindex_api_key_1 (hash=?)"},
		nil,
	},
}

func listAudit(query audit.Query) func(ctx context.Context, c *catalog.Catalog) error {
	return func(ctx context.Context, c *catalog.Catalog) error {
		query.Limit = 20
		_, err := c.Accounts.ListAudit(ctx, query)
		return err
	}
}

// absent ignores a NotFound fault.
func absent(err error) error {
	if fault.Is(err, fault.NotFound) {
		return nil
	}
	return err
}

func find(selector entity.Selector) func(ctx context.Context, c *catalog.Catalog) error {
	return func(ctx context.Context, c *catalog.Catalog) error {
		_, err := c.Entities.FindVersion(ctx, 1, entity.KindPrompt, selector)
		return err
	}
}

const numbered = `
WITH RECURSIVE numbered (n) AS (
SELECT 1
UNION ALL
SELECT n + 1
FROM numbered
WHERE n < 5000)
`

// filling distributes entities with everything attached to them over two workspaces.
var filling = []string{
	`INSERT INTO workspace (name, created_at) VALUES ('a', 1), ('b', 1)`,
	`INSERT INTO entity
(id, workspace_id, kind, variant, name, name_folded, name_scope, tags, last_version, created_at, updated_at)` +
		numbered + `SELECT n, 1 + n / 2501, 'prompt', CASE WHEN n % 100 = 0 THEN 'snippet' ELSE '' END,
CAST(n AS TEXT), CAST(n AS TEXT), 0, '[]', 1, n, n FROM numbered`,
	`INSERT INTO version (id, entity_id, number, body, created_at)` +
		numbered + `SELECT 10000 + n, n, 1, '{}', n FROM numbered`,
	`INSERT INTO label (id, entity_id, name, version_id, created_at)` +
		numbered + `SELECT n, n, 'prod', 10000 + n, n FROM numbered`,
	`INSERT INTO entity_tag (workspace_id, tag, entity_id)` +
		numbered + `SELECT 1 + n / 2501, 't' || CAST(n % 1000 AS TEXT), n FROM numbered`,
	`INSERT INTO external_id (workspace_id, source, external_id, entity_id, created_at)` +
		numbered + `SELECT 1 + n / 2501, 'cms', CAST(n AS TEXT), n, n FROM numbered`,
	`INSERT INTO version_reference (version_id, position, workspace_id, name)` +
		numbered + `SELECT 10000 + n, 1, 1 + n / 2501, CAST(n % 1000 AS TEXT) FROM numbered`,
	`INSERT INTO audit_entry
(workspace_id, at, actor_kind, actor_name, action, subject_kind, subject_id, subject_name, detail)` +
		numbered + `SELECT CASE n % 100 WHEN 0 THEN NULL WHEN 1 THEN 1 ELSE 2 END, n, 'program', '', 'create', 'prompt', n % 1000, '', '{}' FROM numbered`,
}

func TestPlans(t *testing.T) {
	onFilled(t, filling, func(t *testing.T, postgres bool, explain explainer) {
		for name, test := range planned {
			plans := explain(name, test.read)
			if len(plans) != 1 {
				t.Errorf("%s: took %d queries, want one", name, len(plans))
			}
			checkPlan(t, name, plans[0], test.parts(postgres))
		}
	})
}

// plannedRead is a read that must stay fast, with parts of its plan.
type plannedRead struct {
	read             func(ctx context.Context, c *catalog.Catalog) error
	sqlite, postgres []string
}

// parts returns the parts of the plan on an engine.
func (r plannedRead) parts(postgres bool) []string {
	if postgres {
		return r.postgres
	}
	return r.sqlite
}

// explainer returns the plans of the queries that a read makes.
type explainer func(name string, read func(ctx context.Context, c *catalog.Catalog) error) []string

// onFilled runs a test over a catalog of each engine that the statements have
// filled.
func onFilled(t *testing.T, statements []string, test func(t *testing.T, postgres bool, explain explainer)) {
	t.Helper()
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		type call struct {
			query string
			args  []any
		}
		var calls []call
		c := catalogtest.Open(t, dsn, catalog.WithTrace(func(query string, args []any) { calls = append(calls, call{query, args}) }))
		raw := catalogtest.Raw(t, dsn)
		postgres := strings.HasPrefix(dsn, "postgres")
		for _, statement := range statements {
			check.Must(raw.ExecContext(t.Context(), statement))(t)
		}
		prefix := "EXPLAIN QUERY PLAN "
		if postgres {
			prefix = "EXPLAIN "
			check.Must(raw.ExecContext(t.Context(), "ANALYZE"))(t) // the server does it by itself after a while
		}
		test(t, postgres, func(name string, read func(ctx context.Context, c *catalog.Catalog) error) []string {
			t.Helper()
			calls = nil
			if err := read(t.Context(), c); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			plans := make([]string, len(calls))
			for i, call := range calls {
				plans[i] = plan(t, raw, prefix+call.query, call.args)
			}
			return plans
		})
	})
}

// checkPlan fails the test if a part is missing or a table is scanned.
func checkPlan(t *testing.T, name, plan string, parts []string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(plan, part) {
			t.Errorf("%s: %s is not used:\n%s", name, part, plan)
		}
	}
	for _, table := range []string{"entity", "entity_tag", "version", "version_reference", "label", "audit_entry"} {
		if strings.Contains(plan, "SCAN "+table+"\n") || strings.Contains(plan, "Seq Scan on "+table+" ") {
			t.Errorf("%s: the whole table %s is read:\n%s", name, table, plan)
		}
	}
}

// plan returns the plan of a query, one line for each step.
func plan(t *testing.T, db *sql.DB, query string, args []any) string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query, args...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Builder{}
	for rows.Next() {
		// The step is the last column on both engines.
		var step string
		values := make([]any, len(columns))
		for i := range values {
			values[i] = new(any)
		}
		values[len(values)-1] = &step
		if err := rows.Scan(values...); err != nil {
			t.Fatal(err)
		}
		text.WriteString(step + "\n")
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return text.String()
}
