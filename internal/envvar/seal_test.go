package envvar_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
	"github.com/promptuary/promptuary/internal/secret"
)

func TestAnotherKeyCannotOpenValues(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.equal(w.CheckKey(w.ctx), nil)
		placeholder := w.create(w.home, "LATER", "")
		w.equal(w.withKey(secret.NewKey()).CheckKey(w.ctx), nil) // nothing to open
		created := w.create(w.home, "TOKEN", "sk-abc-1234")
		w.equal(w.CheckKey(w.ctx), nil)

		key := secret.NewKey()
		other := w.withKey(key)
		w.fails(other.CheckKey(w.ctx), fault.Unavailable)
		for _, tool := range []int64{0, w.tool.Tool} {
			values, err := other.Resolve(w.ctx, w.home.Workspace, tool)
			w.fails(err, fault.Unavailable)
			w.equal(values, map[string]string(nil))
			if text := err.Error(); !strings.Contains(text, "TOKEN cannot be opened") || strings.Contains(text, "1234") {
				w.t.Errorf("the error says %q", text)
			}
		}
		w.equal(check.Must(other.List(w.ctx, w.home))(w.t), []envvar.Variable{placeholder, created})

		check.Must(other.Update(w.ctx, w.home, created.ID, "set again"))(w.t)
		w.equal(other.CheckKey(w.ctx), nil)
		w.equal(check.Must(other.Resolve(w.ctx, w.home.Workspace, 0))(w.t), map[string]string{"TOKEN": "set again"})
		w.fails(check.Failure(w.Resolve(w.ctx, w.home.Workspace, 0)), fault.Unavailable)
		w.equal(other.Delete(w.ctx, w.home, created.ID), nil)
	})
}

// TestValuesDoNotOpenElsewhere checks that write access to the database is
// not enough to read a value by moving it.
func TestValuesDoNotOpenElsewhere(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.create(w.home, "SECRET", "the value")
		places := map[string]envvar.Variable{
			"another key":       w.create(w.home, "MINE", "mine"),
			"a tool":            w.create(w.tool, "SECRET", "mine"),
			"another workspace": w.create(w.away, "SECRET", "mine"),
		}
		for name, target := range places {
			w.exec(fmt.Sprintf(`UPDATE env_var SET value = (SELECT value FROM env_var WHERE name = 'SECRET' AND workspace_id = %d AND entity_id IS NULL) WHERE id = %d`,
				w.home.Workspace, target.ID))
			_, err := w.Resolve(w.ctx, target.Scope.Workspace, target.Scope.Tool)
			if !fault.Is(err, fault.Unavailable) {
				w.t.Errorf("%s: got %v", name, err)
			}
			w.equal(w.Delete(w.ctx, target.Scope, target.ID), nil)
		}
		w.equal(w.resolve(w.home), map[string]string{"SECRET": "the value"})
	})
}

// rows returns all stored rows of variables.
func (w *world) rows() [][]byte {
	w.t.Helper()
	rows, err := w.open().QueryContext(w.ctx, `SELECT name, suffix, value FROM env_var ORDER BY id`)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = rows.Close() }()
	var all [][]byte
	for rows.Next() {
		var name, suffix string
		var value []byte
		if err := rows.Scan(&name, &suffix, &value); err != nil {
			w.t.Fatal(err)
		}
		all = append(all, append([]byte(name+suffix), value...))
	}
	if err := rows.Err(); err != nil {
		w.t.Fatal(err)
	}
	return all
}

func TestStoredValuesAreSealed(t *testing.T) {
	onEachEngine(t, func(w *world) {
		const value = "planted-VALUE-7781"
		first := w.create(w.home, "A", value)
		w.create(w.tool, "A", value)
		check.Must(w.Update(w.ctx, w.home, first.ID, value))(w.t)
		stored := w.rows()
		w.equal(len(stored), 2)
		w.equal(bytes.Equal(stored[0], stored[1]), false)
		for _, row := range stored {
			w.equal(bytes.HasPrefix(row, []byte("A7781")), true)
			w.equal(len(row) > len(value), true)
			w.equal(bytes.Contains(row, []byte(value[:8])), false)
		}
		w.equal(w.Delete(w.ctx, w.home, first.ID), nil)
		check.Must(w.catalog.Entities.SoftDelete(w.ctx, w.home.Workspace, []int64{w.tool.Tool}))(w.t)
		w.equal(len(w.rows()), 0)
	})
}

func TestVariablesAreDeletedWithTheirWorkspace(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.create(w.away, "A", "value")
		w.create(w.home, "A", "value")
		if strings.HasPrefix(w.dsn, "postgres") {
			w.exec(`DELETE FROM workspace_revision`)
		}
		w.exec(fmt.Sprintf(`DELETE FROM workspace WHERE id = %d`, w.away.Workspace))
		w.equal(len(w.rows()), 1)
	})
}
