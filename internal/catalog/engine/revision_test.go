package engine_test

import (
	"context"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/entity"
)

func TestReplicasSeeEachOthersChanges(t *testing.T) {
	t.Parallel()
	dsn := catalogtest.PostgreSQL(t)
	catalogtest.CachedReaders(t, catalogtest.Open(t, dsn), catalogtest.Open(t, dsn))
}

// A method that forgets to tell the revisions of its change must not work.
func TestWritesBehindTheRevisionsAreRefused(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		tests := map[string]bool{
			"INSERT INTO entity DEFAULT VALUES":          false,
			"\nUPDATE label\nSET name = name":            false,
			"DELETE FROM ab_test":                        false,
			"DELETE FROM a_table_of_tomorrow":            false,
			"\nUPDATE id_block\nSET last = last":         true,
			"SELECT COUNT(*) FROM entity":                true,
			"DELETE FROM session\nWHERE account_id = 1 ": true,
		}
		for statement, allowed := range tests {
			outside := execute(t.Context(), c, statement)
			inside := c.InTx(t.Context(), func(ctx context.Context) error { return execute(ctx, c, statement) })
			for _, err := range []error{outside, inside} {
				refused := err != nil && strings.Contains(err.Error(), "within change only")
				if refused == allowed || (allowed && err != nil) {
					t.Errorf("%q: got %v, want it allowed: %t", statement, err, allowed)
				}
			}
		}
	})
}

// A commit whose outcome is unknown may have happened.
func TestRevisionAfterAFailedCommit(t *testing.T) {
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
