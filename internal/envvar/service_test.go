package envvar_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/envvar"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestVariableLifecycle(t *testing.T) {
	onEachEngine(t, func(w *world) {
		for _, scope := range []envvar.Scope{w.home, w.tool} {
			created := w.create(scope, "TOKEN", "sk-abc-1234")
			w.equal(created.Hint, envvar.Hint{Suffix: "1234"})
			empty := w.create(scope, "LATER", "")
			w.equal(empty.Hint, envvar.Hint{Empty: true})
			w.equal(check.Must(w.List(w.ctx, scope))(w.t), []envvar.Variable{created, empty})

			updated := check.Must(w.Update(w.ctx, scope, empty.ID, "日本語🙂!"))(w.t)
			w.equal(updated.Hint, envvar.Hint{Suffix: "本語🙂!"})
			w.equal(updated.Key, "LATER")
			w.equal(w.resolve(scope)["LATER"], "日本語🙂!")

			w.equal(w.Delete(w.ctx, scope, created.ID), nil)
			w.fails(w.Delete(w.ctx, scope, created.ID), fault.NotFound)
			w.fails(check.Failure(w.Update(w.ctx, scope, created.ID, "x")), fault.NotFound)
			w.equal(check.Must(w.List(w.ctx, scope))(w.t), []envvar.Variable{updated})
		}
	})
}

func TestShortValuesAreNotShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	for value, want := range map[string]string{
		"1": "", "1234": "", "12345": "2345", "äöüß": "", "xäöüß": "äöüß", "    ": "",
	} {
		created := w.create(w.home, fmt.Sprintf("K%x", value), value)
		w.equal(created.Hint, envvar.Hint{Suffix: want})
	}
}

func TestRejectedValues(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	for name, test := range map[string]struct{ key, value, loc, typ string }{
		"no key":             {"", "", "key", "string_too_short"},
		"long key":           {strings.Repeat("K", 256), "", "key", "string_too_long"},
		"digit first":        {"1A", "", "key", "string_pattern_mismatch"},
		"assignment":         {"A=B", "", "key", "string_pattern_mismatch"},
		"line break at end":  {"A\n", "", "key", "string_pattern_mismatch"},
		"other script":       {"Ä", "", "key", "string_pattern_mismatch"},
		"NUL in key":         {"A\x00", "", "key", "string_pattern_mismatch"},
		"reserved":           {"LD_PRELOAD", "", "key", "value_error"},
		"long value":         {"A", strings.Repeat("é", 8193), "value", "string_too_long"},
		"NUL in value":       {"A", "planted\x00", "value", "value_error"},
		"value not in UTF-8": {"A", "planted\xff", "value", "string_type"},
	} {
		err := check.Failure(w.Create(w.ctx, w.home, test.key, test.value))
		w.fails(err, fault.Invalid)
		var f *fault.Error
		errors.As(err, &f)
		if got := f.Fields[0]; len(f.Fields) != 1 || fmt.Sprint(got.Loc) != "[input "+test.loc+"]" || got.Type != test.typ {
			t.Errorf("%s: got %+v", name, f.Fields)
		}
		if strings.Contains(err.Error(), "planted") {
			t.Errorf("%s: the error has the value: %v", name, err)
		}
	}
	kept := w.create(w.home, "KEPT", strings.Repeat("é", 8192))
	for _, value := range []string{"", strings.Repeat("é", 8193), "\x00", "\xff"} {
		w.fails(check.Failure(w.Update(w.ctx, w.home, kept.ID, value)), fault.Invalid)
	}
	w.equal(check.Must(w.List(w.ctx, w.home))(t), []envvar.Variable{kept})
}

func TestUnknownTools(t *testing.T) {
	onEachEngine(t, func(w *world) {
		kept := w.create(w.tool, "A", "value")
		deleted := envvar.Scope{Workspace: w.home.Workspace, Tool: w.entity(entity.KindTool, "deleted")}
		w.create(deleted, "A", "value")
		check.Must(w.catalog.Entities.SoftDelete(w.ctx, w.home.Workspace, []int64{deleted.Tool}))(w.t)
		for _, scope := range []envvar.Scope{
			{Workspace: w.home.Workspace, Tool: 999},
			{Workspace: w.home.Workspace, Tool: w.entity(entity.KindPrompt, "prompt")},
			{Workspace: w.away.Workspace, Tool: w.tool.Tool},
			deleted,
		} {
			w.fails(check.Failure(w.Create(w.ctx, scope, "A", "value")), fault.NotFound)
			w.fails(check.Failure(w.List(w.ctx, scope)), fault.NotFound)
			w.fails(check.Failure(w.Update(w.ctx, scope, kept.ID, "value")), fault.NotFound)
			w.fails(w.Delete(w.ctx, scope, kept.ID), fault.NotFound)
			w.fails(check.Failure(w.Resolve(w.ctx, scope.Workspace, scope.Tool)), fault.NotFound)
		}
		w.equal(check.Must(w.List(w.ctx, w.tool))(w.t), []envvar.Variable{kept})
	})
}

func TestScopesAreIsolated(t *testing.T) {
	onEachEngine(t, func(w *world) {
		scopes := []envvar.Scope{w.home, w.away, w.tool, w.sibling}
		mine := map[envvar.Scope]envvar.Variable{}
		for i, scope := range scopes {
			mine[scope] = w.create(scope, "SAME", fmt.Sprintf("value of %d", i))
		}
		for _, scope := range scopes {
			for owner, variable := range mine {
				if owner != scope {
					w.fails(check.Failure(w.Update(w.ctx, scope, variable.ID, "stolen")), fault.NotFound)
					w.fails(w.Delete(w.ctx, scope, variable.ID), fault.NotFound)
				}
			}
		}
		for i, scope := range scopes {
			w.equal(check.Must(w.List(w.ctx, scope))(w.t), []envvar.Variable{mine[scope]})
			w.equal(w.resolve(scope), map[string]string{"SAME": fmt.Sprintf("value of %d", i)})
		}
	})
}

func TestResolve(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.equal(w.resolve(w.tool), map[string]string{})
		w.create(w.home, "COMMON", "of the workspace")
		w.create(w.home, "SHARED", "of the workspace")
		w.create(w.home, "HIDDEN", "of the workspace")
		w.create(w.home, "LATER", "")
		w.create(w.tool, "SHARED", "of the tool")
		w.create(w.tool, "HIDDEN", "") // a placeholder overrides nothing
		w.create(w.tool, "LATER", "of the tool")
		w.create(w.tool, "OWN", "of the tool")
		w.create(w.sibling, "SIBLING", "of the sibling")
		w.create(w.away, "AWAY", "of the other workspace")
		w.equal(w.resolve(w.tool), map[string]string{
			"COMMON": "of the workspace", "SHARED": "of the tool", "HIDDEN": "of the workspace",
			"LATER": "of the tool", "OWN": "of the tool",
		})
		w.equal(w.resolve(w.home), map[string]string{
			"COMMON": "of the workspace", "SHARED": "of the workspace", "HIDDEN": "of the workspace",
		})
		w.equal(w.resolve(w.away), map[string]string{"AWAY": "of the other workspace"})
		w.equal(w.resolve(envvar.Scope{Workspace: 999}), map[string]string{})
	})
}

func TestConcurrentCreate(t *testing.T) {
	onEachEngine(t, func(w *world) {
		for _, scope := range []envvar.Scope{w.home, w.tool} {
			errs := make([]error, 32)
			var group sync.WaitGroup
			for i := range errs {
				group.Go(func() {
					errs[i] = check.Failure(w.Create(w.ctx, scope, "TOKEN", fmt.Sprintf("value of %d", i)))
				})
			}
			group.Wait()
			winner := -1
			for i, err := range errs {
				if err == nil && winner < 0 {
					winner = i
					continue
				}
				w.fails(err, fault.Conflict)
			}
			w.equal(w.resolve(scope), map[string]string{"TOKEN": fmt.Sprintf("value of %d", winner)})
		}
	})
}

// TestResolveWhileValuesChange checks that Resolve never returns a partly
// written value.
func TestResolveWhileValuesChange(t *testing.T) {
	onEachEngine(t, func(w *world) {
		created := w.create(w.tool, "TOKEN", strings.Repeat("0", 100))
		var group sync.WaitGroup
		for i := range 8 {
			group.Go(func() {
				for range 4 {
					value := strings.Repeat(fmt.Sprint(i), 100)
					if _, err := w.Update(w.ctx, w.tool, created.ID, value); err != nil {
						w.t.Error(err)
					}
					got, err := w.Resolve(w.ctx, w.tool.Workspace, w.tool.Tool)
					if token := got["TOKEN"]; err != nil || token != strings.Repeat(token[:1], 100) {
						w.t.Errorf("got %q, %v", token, err)
					}
				}
			})
		}
		group.Wait()
	})
}
