package access_test

import (
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

func TestWithin(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	admin, owner := w.as(access.Administrator), w.as(access.Owner)
	for name, test := range map[string]struct {
		asked *int64
		owner bool
		want  int64
		kind  fault.Kind
	}{
		"own, unnamed":       {nil, false, w.home, 0},
		"own, named":         {&w.home, false, w.home, 0},
		"another":            {&w.away, false, 0, fault.Forbidden},
		"unknown":            {new(int64(999)), false, 0, fault.Forbidden},
		"own, as owner":      {nil, true, w.home, 0},
		"another, as owner":  {&w.away, true, w.away, 0},
		"unknown, as owner":  {new(int64(999)), true, 0, fault.NotFound},
		"negative, as owner": {new(int64(-1)), true, 0, fault.NotFound},
	} {
		ctx := admin
		if test.owner {
			ctx = owner
		}
		got, err := w.Within(ctx, test.asked)
		if got != test.want || test.kind == 0 && err != nil || test.kind != 0 && !fault.Is(err, test.kind) {
			t.Errorf("%s: %d, %v", name, got, err)
		}
	}
}

func TestWorkspaces(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.fails(check.Failure(w.CreateWorkspace(w.as(access.Administrator), "third")), fault.Forbidden)
		third := check.Must(w.CreateWorkspace(w.as(access.Owner), "third"))(w.t)
		w.fails(check.Failure(w.CreateWorkspace(w.ctx, "third")), fault.Conflict)
		w.fails(check.Failure(w.CreateWorkspace(w.ctx, "")), fault.Invalid)

		names := func(of []access.Workspace, err error) []string {
			w.t.Helper()
			w.ok(err)
			names := []string{}
			for _, one := range of {
				names = append(names, one.Name)
			}
			return names
		}
		w.equal(names(w.Workspaces(w.as(access.Owner))), []string{"home", "away", "third"})
		w.equal(names(w.Workspaces(w.as(access.Administrator))), []string{"home"})
		ann := w.person("ann@example.com", access.Administrator)
		check.Must(w.Invite(w.ctx, third.ID, "ann@example.com", nil))(w.t)
		w.equal(names(w.Workspaces(w.signedIn(ann.Token))), []string{"home", "third"})
	})
}

func TestChangeWorkspace(t *testing.T) {
	onEachEngine(t, func(w *world) {
		admin := w.as(access.Administrator)
		changed := check.Must(w.ChangeWorkspace(admin, w.home, access.WorkspacePatch{Name: new("house"), RolesRequired: new(true)}))(w.t)
		w.equal([]any{changed.Name, changed.RolesRequired}, []any{"house", true})
		w.equal(check.Must(w.ChangeWorkspace(admin, w.home, access.WorkspacePatch{}))(w.t), changed)

		w.fails(check.Failure(w.ChangeWorkspace(w.as(access.Editor, access.Developer), w.home, access.WorkspacePatch{Name: new("mine")})), fault.Forbidden)
		w.fails(check.Failure(w.ChangeWorkspace(admin, w.away, access.WorkspacePatch{Name: new("mine")})), fault.Forbidden)
		w.fails(check.Failure(w.ChangeWorkspace(admin, w.home, access.WorkspacePatch{Disabled: new(true)})), fault.Forbidden)
		w.fails(check.Failure(w.ChangeWorkspace(w.ctx, 999, access.WorkspacePatch{})), fault.NotFound)
		w.fails(check.Failure(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{Name: new("")})), fault.Invalid)

		// The name is taken, so the other change is not applied either.
		before := w.audited(audit.Change)
		w.fails(check.Failure(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{RolesRequired: new(false), Name: new("away")})), fault.Conflict)
		w.equal(check.Must(w.catalog.Accounts.GetWorkspace(w.ctx, w.home))(w.t), changed)
		w.equal(w.audited(audit.Change), before)
	})
}

func TestRejectsBlankWorkspaceNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	const refusal = "name must not be blank"
	for _, blank := range []string{"", " ", "\t\r\n", "\u00a0\u2003"} {
		patch := access.WorkspacePatch{Name: &blank, RolesRequired: new(true)}
		check.Refused(t, check.Failure(w.CreateWorkspace(w.ctx, blank)), fault.Invalid, refusal)
		check.Refused(t, check.Failure(w.ChangeWorkspace(w.ctx, w.home, patch)), fault.Invalid, refusal)
	}
	w.equal(check.Must(w.catalog.Accounts.GetWorkspace(w.ctx, w.home))(t).RolesRequired, false)
	w.equal(check.Must(w.CreateWorkspace(w.ctx, " x "))(t).Name, " x ")
}

// TestSystemCreatesFirstKey creates a key as the program does at its first
// start. The same call without a caller is rejected.
func TestSystemCreatesFirstKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	_, _, err := w.CreateKey(t.Context(), w.home, access.NewKeyInput{Name: "first key"})
	check.Fault(t, err, fault.Forbidden)
	ctx := access.AsSystem(t.Context())
	_, secret, err := w.CreateKey(ctx, w.home, access.NewKeyInput{Name: "first key"})
	w.ok(err)
	same(t, "the first key", check.Must(w.identify(secret))(t).Permissions, withoutAdmin)
	w.equal(check.Must(w.Keys(ctx, w.home))(t)[0].OwnerEmail, (*string)(nil))
}
