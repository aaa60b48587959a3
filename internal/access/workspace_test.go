package access_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

// TestEnter names workspaces as every kind of caller. Those that the caller may
// not know about are answered as if they did not exist.
func TestEnter(t *testing.T) {
	onEachEngine(t, func(w *world) {
		w.person("ann@example.com", access.Administrator)
		check.Must(w.Invite(w.ctx, w.away, "ann@example.com", []access.Role{access.Viewer}))(w.t)
		ann := check.Must(w.SignIn(w.ctx, "ann@example.com", password))(w.t)
		bob := w.person("bob@example.com", access.Administrator)
		root := w.person("root@example.com")
		check.Must(w.ChangeMember(w.ctx, w.home, root.User.ID, access.MemberPatch{Owner: new(true)}))(w.t)
		callers := map[string]context.Context{
			"admin key": w.as(access.Administrator), "owner key": w.as(access.Owner), "command": w.ctx,
			"member of both": w.signedIn(ann.Token), "member of home": w.signedIn(bob.Token), "owner": w.signedIn(root.Token),
		}
		all, viewing := access.Owner.Permissions(), access.Viewer.Permissions()
		enters := func(caller string, workspace int64, allowed access.Permissions) {
			w.t.Helper()
			got := check.Must(w.Guard().Enter(callers[caller], workspace))(w.t)
			was := access.CallerOf(callers[caller])
			w.equal([]any{got.Workspace, got.Permissions, got.KeyID, got.UserID, got.Email}, []any{workspace, allowed, was.KeyID, was.UserID, was.Email})
		}
		for caller, ctx := range callers {
			if own := access.CallerOf(ctx); own.Workspace != 0 {
				enters(caller, own.Workspace, own.Permissions)
			}
			for _, unknown := range []int64{999, -1} {
				check.Refused(w.t, check.Failure(w.Guard().Enter(ctx, unknown)), fault.NotFound, fmt.Sprintf("Workspace %d not found", unknown))
			}
		}
		enters("owner key", w.away, all)
		enters("owner", w.away, all)
		enters("command", w.away, all)
		enters("member of both", w.away, viewing)
		for _, caller := range []string{"admin key", "member of home"} {
			check.Refused(w.t, check.Failure(w.Guard().Enter(callers[caller], w.away)), fault.NotFound, fmt.Sprintf("Workspace %d not found", w.away))
		}

		check.Must(w.ChangeWorkspace(w.ctx, w.away, access.WorkspacePatch{Disabled: new(true)}))(w.t)
		check.Refused(w.t, check.Failure(w.Guard().Enter(callers["member of both"], w.away)), fault.Forbidden, "This workspace is disabled")
		enters("owner key", w.away, all)
		enters("owner", w.away, all)
	})
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
