package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/catalog/engine"
	"github.com/promptuary/promptuary/internal/catalog/table"
)

func TestRejectsUnauditedChanges(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		workspace := mustWorkspace(t, c)
		for _, statement := range []table.Statement{
			table.Workspace.Update("SET name = 'other'"), table.APIKey.Delete("WHERE id = 1"),
			table.Account.Insert("(email, email_folded, created_at) VALUES ('a', 'a', 1)"),
		} {
			if err := execute(t.Context(), c, statement); err == nil || !strings.Contains(err.Error(), "within a transaction only") {
				t.Errorf("outside of a transaction %q: %v", statement.SQL, err)
			}
		}
		tests := []struct {
			statement table.Statement
			refused   bool
		}{
			{table.Workspace.Update("SET name = 'other'"), true},
			{table.Workspace.Update("SET name = 'other'\nWHERE id = 12345"), false}, // nothing changes
			{table.Session.Delete("WHERE account_id = 1"), false},
		}
		for _, test := range tests {
			err := c.InTx(t.Context(), func(ctx context.Context) error { return execute(ctx, c, test.statement) })
			if got := err != nil && strings.Contains(err.Error(), "without an entry in the audit log"); got != test.refused {
				t.Errorf("%q: %v", test.statement.SQL, err)
			}
		}
		if found, err := c.Accounts.GetWorkspace(t.Context(), workspace); err != nil || found.Name == "other" {
			t.Errorf("the workspace is %v (%v)", found, err)
		}
	})
}

// Statements that return rows are writes, too.
func TestRejectsUnauditedChangesThatReturnRows(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		mustWorkspace(t, c)
		statement := table.Workspace.Update("SET name = 'other'\nRETURNING id")
		writes := map[string]func(ctx context.Context) error{
			"ExecOne": func(ctx context.Context) error {
				_, err := engine.ExecOne(ctx, c.DB, engine.ScanInt, statement)
				return err
			},
			"ExecAll": func(ctx context.Context) error {
				_, err := engine.ExecAll(ctx, c.DB, engine.ScanInt, statement)
				return err
			},
		}
		for name, write := range writes {
			if err := write(t.Context()); err == nil || !strings.Contains(err.Error(), "within a transaction only") {
				t.Errorf("%s outside of a transaction: %v", name, err)
			}
			if err := c.InTx(t.Context(), write); err == nil || !strings.Contains(err.Error(), "without an entry in the audit log") {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestRolledBackAuditEntryDoesNotCount(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		mustWorkspace(t, c)
		undone := errors.New("undone")
		err := c.InTx(t.Context(), func(ctx context.Context) error {
			inner := c.InTx(ctx, func(ctx context.Context) error {
				_, err := c.Accounts.CreateUser(ctx, "ann@example.com", false)
				return errors.Join(err, undone)
			})
			if !errors.Is(inner, undone) {
				return inner
			}
			return execute(ctx, c, table.Workspace.Update("SET name = 'other'"))
		})
		if err == nil || !strings.Contains(err.Error(), "without an entry in the audit log") {
			t.Errorf("got %v", err)
		}
	})
}

// The database itself protects the audit log.
func TestAuditLogIsAppendOnly(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		mustWorkspace(t, c)
		for _, statement := range []string{"UPDATE audit_entry SET actor_name = 'somebody else'", "DELETE FROM audit_entry"} {
			if _, err := c.Pool().ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v", statement, err)
			}
		}
	})
}
