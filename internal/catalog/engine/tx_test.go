package engine_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestRetriesLostTransaction(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		attempts := 0
		err := c.InTx(t.Context(), func(ctx context.Context) error {
			attempts++
			if _, err := c.Accounts.CreateWorkspace(ctx, "x"); err != nil {
				return err // the first attempt was not rolled back
			}
			return c.InTx(ctx, func(context.Context) error {
				if attempts < 3 {
					return engine.LostRace()
				}
				return nil
			})
		})
		if err != nil || attempts != 3 {
			t.Errorf("got %v after %d attempts, want success after 3", err, attempts)
		}
	})
}

func TestRetriesAreLimited(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		attempts := 0
		err := catalogtest.Open(t, dsn).InTx(t.Context(), func(context.Context) error {
			attempts++
			return engine.LostRace()
		})
		if !fault.Is(err, fault.Unavailable) || attempts != engine.MaxAttempts {
			t.Errorf("got %v after %d attempts, want Unavailable after %d", err, attempts, engine.MaxAttempts)
		}
	})
}

// A database that cannot be written returns a fault, keeps its data and recovers.
func TestStorageFaults(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		dsn                   func(testing.TB) string
		setting, broken, good string
		message               string
	}{
		"SQLite, disk full":     {catalogtest.SQLite, `PRAGMA max_page_count = `, "1", "100000", "disk is full"},
		"SQLite, read-only":     {catalogtest.SQLite, `PRAGMA query_only = `, "1", "0", "read-only"},
		"PostgreSQL, read-only": {catalogtest.PostgreSQL, `SET default_transaction_read_only = `, "on", "off", "read-only"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := catalogtest.Open(t, test.dsn(t))
			c.Pool().SetMaxOpenConns(1)
			workspace := mustWorkspace(t, c)
			mustExec(t, c, test.setting+test.broken)
			big := entity.New{WorkspaceID: workspace, Kind: entity.KindPrompt, Name: strings.Repeat("x", 2000)}
			err := addMany(t.Context(), c, big)
			if !fault.Is(err, fault.Unavailable) || !strings.Contains(err.Error(), test.message) {
				t.Errorf("got %v, want Unavailable with %q", err, test.message)
			}
			mustExec(t, c, test.setting+test.good)
			if _, total, err := c.Entities.ListEntities(t.Context(), entity.Query{WorkspaceID: workspace}); err != nil || total != 0 {
				t.Errorf("%d entities are left (%v)", total, err)
			}
			if err := addMany(t.Context(), c, big); err != nil {
				t.Error(err)
			}
		})
	}
}

// addMany writes more than fits into the free pages, all or nothing.
func addMany(ctx context.Context, c *catalog.Catalog, input entity.New) error {
	return c.InTx(ctx, func(ctx context.Context) error {
		for i := range 20 {
			input.Name = input.Name[1:] + string(rune('a'+i))
			if _, err := c.Entities.CreateEntity(ctx, input); err != nil {
				return err
			}
		}
		return nil
	})
}

func mustWorkspace(t *testing.T, c *catalog.Catalog) int64 {
	t.Helper()
	workspace, err := c.Accounts.EnsureDefaultWorkspace(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return workspace.ID
}

func mustExec(t *testing.T, c *catalog.Catalog, statement string) {
	t.Helper()
	if _, err := c.Pool().ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

// TestWorkspacesTakeTurns lets one workspace fill the queue of transactions. That of
// another workspace comes next.
func TestWorkspacesTakeTurns(t *testing.T) {
	t.Parallel()
	c := catalogtest.Open(t, catalogtest.SQLite(t))
	begun, end := make(chan struct{}), make(chan struct{})
	order := make(chan int64, 10)
	var done sync.WaitGroup
	change := func(workspace int64, work func()) {
		done.Go(func() {
			ctx := access.AsSystemIn(t.Context(), workspace)
			check.OK(t, c.InTx(ctx, func(context.Context) error {
				work()
				return nil
			}))
		})
	}
	change(1, func() { close(begun); <-end })
	<-begun
	for n, workspace := range []int64{1, 1, 1, 1, 2} {
		change(workspace, func() { order <- workspace })
		check.Eventually(t, "the transaction waits", func() bool { return c.Writers().Stats().Waiting == n+1 })
	}
	close(end)
	done.Wait()
	check.Equal(t, "workspace of the next transaction", <-order, 2)
}
