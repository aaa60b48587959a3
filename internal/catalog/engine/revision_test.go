package engine_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/table"
	"github.com/promptuary/promptuary/internal/entity"
)

func TestRejectsWritesThatBypassRevisions(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		tests := []struct {
			statement table.Statement
			allowed   bool
		}{
			{table.Entity.Insert("DEFAULT VALUES"), false},
			{table.Label.Update("SET name = name"), false},
			{table.ABTest.Delete("WHERE label_id = 1"), false},
			{table.IDBlock.Update("SET last = last"), true},
			{table.Session.Delete("WHERE account_id = 1"), true},
		}
		for _, test := range tests {
			outside := execute(t.Context(), c, test.statement)
			inside := c.InTx(t.Context(), func(ctx context.Context) error { return execute(ctx, c, test.statement) })
			for _, err := range []error{outside, inside} {
				refused := err != nil && strings.Contains(err.Error(), "within Change only")
				if refused == test.allowed || (test.allowed && err != nil) {
					t.Errorf("%q: got %v, want it allowed: %t", test.statement.SQL, err, test.allowed)
				}
			}
		}
	})
}

func TestEveryTableIsDeclared(t *testing.T) {
	t.Parallel()
	c := catalogtest.Open(t, catalogtest.PostgreSQL(t))
	inSchema := texts(t, c.Pool(), `
SELECT table_name
FROM information_schema.tables
WHERE table_schema = 'public'
AND table_type = 'BASE TABLE'
AND table_name <> 'catalog_migration'`)
	declared := make([]string, len(table.All()))
	for i, one := range table.All() {
		declared[i] = one.Name
	}
	slices.Sort(declared)
	slices.Sort(inSchema)
	if diff := cmp.Diff(inSchema, declared); diff != "" {
		t.Errorf("mismatch (-schema +declared):\n%s", diff)
	}
}

// A commit with an unknown outcome may have taken effect.
func TestRevisionChangesAfterFailedCommit(t *testing.T) {
	t.Parallel()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	workspace := mustWorkspace(t, c)
	before, err := c.Revision(t.Context(), workspace)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = c.InTx(ctx, func(ctx context.Context) error {
		_, err := c.Entities.CreateEntity(ctx, entity.New{WorkspaceID: workspace, Kind: entity.KindPrompt, Name: "x"})
		cancel()
		return err
	})
	if err == nil {
		t.Fatal("committed")
	}
	after, err := c.Revision(t.Context(), workspace)
	if err != nil || after == before {
		t.Errorf("got revision %d again (%v)", after, err)
	}
}
