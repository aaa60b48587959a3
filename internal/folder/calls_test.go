package folder_test

import (
	"context"
	"database/sql"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/folder"
)

// counting counts the calls of the methods that listing needs. The embedded
// interface is nil, so that any other call panics.
type counting struct {
	entity.Store
	real  *catalog.Catalog
	calls map[string]int
}

func (c *counting) GetEntity(ctx context.Context, workspace, id int64) (entity.Entity, error) {
	c.calls["GetEntity"]++
	return c.real.Entities.GetEntity(ctx, workspace, id)
}

func (c *counting) ListEntities(ctx context.Context, query entity.Query) ([]entity.Entity, int64, error) {
	c.calls["ListEntities"]++
	return c.real.Entities.ListEntities(ctx, query)
}

func (c *counting) VisitLatestVersions(ctx context.Context, query entity.Query, visit func(entity.FoundVersion) error) error {
	c.calls["VisitLatestVersions"]++
	return c.real.Entities.VisitLatestVersions(ctx, query, visit)
}

func (c *counting) FolderPaths(ctx context.Context, workspace int64, folders []int64) (map[int64][]entity.FolderStep, error) {
	c.calls["FolderPaths"]++
	return c.real.Entities.FolderPaths(ctx, workspace, folders)
}

func (c *counting) ExternalIDsOf(ctx context.Context, query entity.Query) (map[int64][]entity.ExternalID, error) {
	c.calls["ExternalIDsOf"]++
	return c.real.Entities.ExternalIDsOf(ctx, query)
}

// The large library has 500 folders on 5 levels, numbered from 1, each in the
// one with a fifth of its number, and 10,000 prompts distributed over them.
// Every hundredth prompt contains the word needle.
const (
	largeFolders = 500
	largePrompts = 10_000
)

var largeLibrary = []string{
	`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $2)
INSERT INTO entity (id, workspace_id, kind, variant, name, name_folded, name_scope, folder_id, tags, created_at, updated_at)
SELECT i, $1, 'folder', '', 'f' || i, 'F' || i, COALESCE(NULLIF(i / 5, 0), 0), NULLIF(i / 5, 0), '[]', i, i FROM n`,
	`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $3)
INSERT INTO entity (id, workspace_id, kind, variant, name, name_folded, name_scope, folder_id, tags, last_version, created_at, updated_at)
SELECT 1000 + i, $1, 'prompt', '', 'p' || i, 'P' || i, 0, 1 + i % $2, '[]', 1, i, i FROM n`,
	`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $3)
INSERT INTO version (id, entity_id, number, body, created_at)
SELECT 20000 + i, 1000 + i, 1, '{"prompt_template":{"type":"completion","content":[{"type":"text","text":"' ||
CASE WHEN i % 100 = 0 THEN 'a Needle' ELSE 'hay' END || '"}]}}', i FROM n WHERE $1 > 0 AND $2 > 0`,
	`INSERT INTO external_id (workspace_id, source, external_id, entity_id, created_at)
SELECT $1, 'crm', id, id, 1 FROM entity WHERE $2 > 0 AND $3 > 0`,
}

// exec runs statements directly on the database, which is much faster than
// the catalog.
func (l *library) exec(statements []string, args ...any) {
	l.t.Helper()
	db := check.Must(sql.Open("sqlite", strings.TrimPrefix(l.dsn, "sqlite:")))(l.t)
	for _, statement := range statements {
		check.Must(db.Exec(statement, args...))(l.t)
	}
	if err := db.Close(); err != nil {
		l.t.Fatal(err)
	}
}

func TestListingTakesFewCalls(t *testing.T) {
	t.Parallel()
	l := onSQLite(t)
	l.exec(largeLibrary, l.workspace, largeFolders, largePrompts)
	one := int64(1)
	base := map[string]int{"ListEntities": 1, "FolderPaths": 1, "ExternalIDsOf": 1}
	with := func(more ...string) map[string]int {
		calls := map[string]int{}
		for name, count := range base {
			calls[name] = count
		}
		for _, name := range more {
			calls[name]++
		}
		return calls
	}
	tests := map[string]struct {
		query folder.ListQuery
		found int
		calls map[string]int
	}{
		"the root":               {folder.ListQuery{}, 4, base},
		"everything":             {folder.ListQuery{Flatten: true}, largeFolders + largePrompts, base},
		"a folder":               {folder.ListQuery{FolderID: &one}, 25, with("GetEntity")},
		"everything in a folder": {folder.ListQuery{FolderID: &one, Flatten: true}, 3275, with("GetEntity")},
		"with details":           {folder.ListQuery{Flatten: true, Details: true}, largeFolders + largePrompts, with("VisitLatestVersions")},
		"search":                 {folder.ListQuery{Flatten: true, Search: "NEEDLE", Details: true}, largePrompts / 100, with("VisitLatestVersions")},
	}
	t.Run("all folders", func(t *testing.T) {
		t.Parallel()
		counted := &counting{real: l.catalog, calls: map[string]int{}}
		query := entity.Query{WorkspaceID: l.workspace, Sort: entity.ByID, Ascending: true}
		found := check.Must(folder.NewService(counted).List(l.ctx, query))(t)
		check.Equal(t, "calls", counted.calls, base)
		check.Equal(t, "folders", len(found), largeFolders)
		check.Equal(t, "path of the last folder", found[499].Path, []entity.FolderStep{
			{ID: 4, Name: "f4"}, {ID: 20, Name: "f20"}, {ID: 100, Name: "f100"},
		})
	})
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			counted := &counting{real: l.catalog, calls: map[string]int{}}
			test.query.Filters.WorkspaceID = l.workspace
			found := check.Must(folder.NewService(counted).Entities(l.ctx, test.query))(t)
			check.Equal(t, "calls", counted.calls, test.calls)
			check.Equal(t, "entities", len(found), test.found)
			for _, item := range found {
				if len(item.ExternalIDs) != 1 || item.Entity.FolderID != nil && len(item.Path) == 0 {
					t.Fatalf("%s has the external ids %v and the path %v", item.Entity.Name, item.ExternalIDs, item.Path)
				}
			}
		})
	}
}

// promptsInFolder inserts prompts without versions into one folder.
const promptsInFolder = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $3)
INSERT INTO entity (id, workspace_id, kind, variant, name, name_folded, name_scope, folder_id, tags, created_at, updated_at)
SELECT 10000 + i, $1, 'prompt', '', 'p' || i, 'P' || i, 0, $2, '[]', i, i FROM n`
