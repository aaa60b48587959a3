package engine_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
)

// A method that forgets the audit log must not work.
func TestChangesWithoutAnAuditEntryAreRefused(t *testing.T) {
	catalogtest.OnEachEngine(t, func(t *testing.T, dsn string) {
		c := catalogtest.Open(t, dsn)
		workspace := mustWorkspace(t, c)
		for _, statement := range []string{
			"UPDATE workspace\nSET name = 'other'", "DELETE FROM api_key", "INSERT INTO account (email, email_folded, created_at) VALUES ('a', 'a', 1)",
		} {
			if err := execute(t.Context(), c, statement); err == nil || !strings.Contains(err.Error(), "within a transaction only") {
				t.Errorf("outside of a transaction %q: %v", statement, err)
			}
		}
		for statement, refused := range map[string]bool{
			"UPDATE workspace\nSET name = 'other'":                   true,
			"UPDATE workspace\nSET name = 'other'\nWHERE id = 12345": false, // nothing changes
			"DELETE FROM session":                                    false,
		} {
			err := c.InTx(t.Context(), func(ctx context.Context) error { return execute(ctx, c, statement) })
			if got := err != nil && strings.Contains(err.Error(), "without an entry in the audit log"); got != refused {
				t.Errorf("%q: %v", statement, err)
			}
		}
		if found, err := c.Accounts.GetWorkspace(t.Context(), workspace); err != nil || found.Name == "other" {
			t.Errorf("the workspace is %v (%v)", found, err)
		}
	})
}

// An entry that was undone speaks for nothing.
func TestAnUndoneEntryDoesNotCount(t *testing.T) {
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
			return execute(ctx, c, "UPDATE workspace\nSET name = 'other'")
		})
		if err == nil || !strings.Contains(err.Error(), "without an entry in the audit log") {
			t.Errorf("got %v", err)
		}
	})
}

// Nobody rewrites what was done, not even with the database at hand.
func TestTheAuditLogIsAppendOnly(t *testing.T) {
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
