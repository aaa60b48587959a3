package access_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/fault"
)

const author = access.Role("Prompt author")

var authoring = []string{"READ", "PROMPT_CREATE", "PROMPT_EDIT"}

// define adds a custom role to the home workspace.
func (w *world) define(name access.Role, permissions ...string) access.CustomRole {
	w.t.Helper()
	return check.Must(w.CreateRole(w.as(access.Administrator), w.home, string(name), permissions))(w.t)
}

// holding returns the context of a caller with the permissions in the home
// workspace.
func (w *world) holding(permissions ...access.Permission) context.Context {
	return access.WithCaller(w.ctx, access.Caller{KeyID: 1001, Name: "test", Workspace: w.home, Permissions: access.SetOf(permissions...)})
}

// refuses fails the test unless err is a fault of the kind whose message contains
// the text.
func (w *world) refuses(err error, kind fault.Kind, text string) {
	w.t.Helper()
	if !fault.Is(err, kind) || !strings.Contains(err.Error(), text) {
		w.t.Errorf("got error %v, want a fault of kind %d with %q", err, kind, text)
	}
}

// TestCustomRoles gives a custom role to a key and a member, changes it, and
// takes it away. Changes apply to the next request, in another process after the
// time for which callers are cached.
func TestCustomRoles(t *testing.T) {
	onEachEngine(t, func(w *world) {
		role := w.define(author, authoring...)
		key, secret := w.key(access.NewKeyInput{Roles: []access.Role{author, access.Developer, author}})
		w.equal(key.Roles, []access.Role{access.Developer, author})
		ann := w.person("ann@example.com", author)
		elsewhere := access.NewGuard(w.catalog.Accounts, w.clock.Now)
		words := func() (byKey, byUser, byOther string) {
			w.t.Helper()
			other := check.Must(elsewhere.Identify(w.ctx, secret))(w.t)
			return held(check.Must(w.identify(secret))(w.t)), held(access.CallerOf(w.signedIn(ann.Token))), held(other)
		}
		expect := func(wantKey, wantUser, wantOther string) {
			w.t.Helper()
			byKey, byUser, byOther := words()
			w.equal([]string{byKey, byUser, byOther}, []string{wantKey, wantUser, wantOther})
		}
		const before, after = "READ PROMPT_CREATE PROMPT_EDIT", "READ TOOL_EDIT"
		expect(before+" MANAGE_API_KEYS", before, before+" MANAGE_API_KEYS")
		check.Must(w.ChangeRole(w.as(access.Administrator), w.home, role.ID, []string{"TOOL_EDIT", "READ"}))(w.t)
		expect(after+" MANAGE_API_KEYS", after, before+" MANAGE_API_KEYS")
		w.clock.Advance(2 * time.Second)
		expect(after+" MANAGE_API_KEYS", after, after+" MANAGE_API_KEYS")

		err := w.DeleteRole(w.as(access.Administrator), w.home, role.ID)
		check.Refused(w.t, err, fault.Conflict, `The role "Prompt author" is in use by 1 member and 1 key`)
		check.Must(w.ChangeMember(w.ctx, w.home, ann.User.ID, access.MemberPatch{Roles: &[]access.Role{access.Viewer}}))(w.t)
		check.Must(w.RevokeKey(w.ctx, w.home, key.ID))(w.t)
		w.ok(w.DeleteRole(w.as(access.Administrator), w.home, role.ID))
		w.equal(check.Must(w.CustomRoles(w.ctx, w.home))(w.t), []access.CustomRole{})
		w.refuses(failure2(w.CreateKey(w.ctx, w.home, access.NewKeyInput{Roles: []access.Role{author}})), fault.Invalid, `Unknown role "Prompt author": use one of Ingest, Viewer`)
	})
}

func held(caller access.Caller) string { return strings.Join(caller.Permissions.Names(), " ") }

func TestCustomRolesStayInTheirWorkspace(t *testing.T) {
	onEachEngine(t, func(w *world) {
		role := w.define(author, authoring...)
		w.fails(failure2(w.CreateKey(w.ctx, w.away, access.NewKeyInput{Roles: []access.Role{author}})), fault.Invalid)
		w.fails(check.Failure(w.Invite(w.ctx, w.away, "bob@example.com", []access.Role{author})), fault.Invalid)
		w.fails(check.Failure(w.ChangeRole(w.ctx, w.away, role.ID, []string{"READ"})), fault.NotFound)
		w.fails(w.DeleteRole(w.ctx, w.away, role.ID), fault.NotFound)
		check.Must(w.CreateRole(w.ctx, w.away, string(author), []string{"READ"}))(w.t)
		w.equal(check.Must(w.CustomRoles(w.ctx, w.home))(w.t), []access.CustomRole{role})
	})
}

func TestCustomRoleProblems(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	w.define(author, authoring...)
	const form = "Input should have visible characters, no commas, and no spaces at its ends"
	for _, test := range []struct {
		name        string
		permissions []string
		kind        fault.Kind
		message     string
	}{
		{"", authoring, fault.Invalid, form},
		{" x", authoring, fault.Invalid, form},
		{"a,b", authoring, fault.Invalid, form},
		{"a\nb", authoring, fault.Invalid, form},
		{strings.Repeat("é", 65), authoring, fault.Invalid, "at most 64 characters"},
		{"viewer", authoring, fault.Invalid, "Viewer is a built-in role"},
		{"OWNER", authoring, fault.Invalid, "Owner is a built-in role"},
		{"PROMPT AUTHOR", authoring, fault.Conflict, `A role named "Prompt author" already exists`},
		{"x", nil, fault.Invalid, "Input should contain READ"},
		{"x", []string{"PROMPT_EDIT"}, fault.Invalid, "Input should contain READ"},
		{"x", []string{"READ", "FLY"}, fault.Invalid, "Unknown permission"},
		{"x", []string{"READ", "read"}, fault.Invalid, "Unknown permission"},
		{"x", []string{"READ", "OWN"}, fault.Invalid, "OWN is reserved for owners"},
	} {
		_, err := w.CreateRole(w.ctx, w.home, test.name, test.permissions)
		w.refuses(err, test.kind, test.message)
	}
	w.equal(len(check.Must(w.CustomRoles(w.ctx, w.home))(t)), 1)
	w.define(access.Role(strings.Repeat("é", 64)), "READ")
	for i := range access.MaxCustomRoles - 2 {
		w.define(access.Role(fmt.Sprint("role ", i)), "READ")
	}
	w.refuses(check.Failure(w.CreateRole(w.ctx, w.home, "one more", []string{"READ"})), fault.Conflict, "already has 50 roles")
}

// TestCustomRolesDoNotEscalate has an administrator with few other permissions,
// which only a custom role makes possible.
func TestCustomRolesDoNotEscalate(t *testing.T) {
	onEachEngine(t, func(w *world) {
		strong, weak := w.define("strong", "READ", "ADMIN", "TOOL_EDIT"), w.define("weak", "READ", "PROMPT_EDIT")
		clerk := w.holding(access.Read, access.Admin, access.ManageKeys, access.PromptEdit)
		bob, _ := w.member("bob@example.com", access.Viewer)
		boss, _ := w.member("boss@example.com", access.Administrator)
		patch := func(roles ...access.Role) access.MemberPatch { return access.MemberPatch{Roles: &roles} }
		for name, err := range map[string]error{
			"define more":            check.Failure(w.CreateRole(clerk, w.home, "x", []string{"READ", "TOOL_EDIT"})),
			"extend a role":          check.Failure(w.ChangeRole(clerk, w.home, weak.ID, []string{"READ", "TOOL_EDIT"})),
			"weaken a stronger role": check.Failure(w.ChangeRole(clerk, w.home, strong.ID, []string{"READ"})),
			"delete a stronger role": w.DeleteRole(clerk, w.home, strong.ID),
			"invite an admin":        check.Failure(w.Invite(clerk, w.home, "x@example.com", []access.Role{access.Administrator})),
			"invite a stronger role": check.Failure(w.Invite(clerk, w.home, "x@example.com", []access.Role{"strong"})),
			"invite without a role":  check.Failure(w.Invite(clerk, w.home, "x@example.com", nil)),
			"promote":                check.Failure(w.ChangeMember(clerk, w.home, bob.ID, patch(access.Administrator))),
			"take all roles":         check.Failure(w.ChangeMember(clerk, w.home, bob.ID, patch())),
			"demote an admin":        check.Failure(w.ChangeMember(clerk, w.home, boss.ID, patch(access.Viewer))),
			"remove an admin":        w.RemoveMember(clerk, w.home, boss.ID),
			"key of a stronger role": failure2(w.CreateKey(clerk, w.home, access.NewKeyInput{Roles: []access.Role{"strong"}})),
			"key without a role":     failure2(w.CreateKey(clerk, w.home, access.NewKeyInput{})),
			"stop requiring roles":   check.Failure(w.ChangeWorkspace(clerk, w.home, access.WorkspacePatch{RolesRequired: new(false)})),
		} {
			if !fault.Is(err, fault.Forbidden) || !strings.Contains(err.Error(), "permissions that you do not have") {
				w.t.Errorf("%s: %v", name, err)
			}
		}
		w.equal(check.Must(w.CustomRoles(w.ctx, w.home))(w.t), []access.CustomRole{strong, weak})
		without := w.holding(access.Read, access.ManageKeys, access.PromptEdit)
		w.fails(check.Failure(w.CreateRole(without, w.home, "x", []string{"READ"})), fault.Forbidden)
		w.fails(check.Failure(w.ChangeRole(without, w.home, weak.ID, []string{"READ"})), fault.Forbidden)
		w.fails(w.DeleteRole(without, w.home, weak.ID), fault.Forbidden)

		check.Must(w.ChangeMember(clerk, w.home, bob.ID, patch("weak")))(w.t)
		check.Must(w.ChangeRole(clerk, w.home, weak.ID, []string{"READ"}))(w.t)
		check.Must(w.CreateRole(clerk, w.home, "clerk", []string{"READ", "ADMIN", "PROMPT_EDIT"}))(w.t)
		w.ok(w.RemoveMember(clerk, w.home, bob.ID))
		w.ok(w.DeleteRole(clerk, w.home, weak.ID))
		names := check.Must(w.RoleNames(w.ctx, w.home))(w.t)
		w.equal(names, append(slices.Clone(access.Roles()), "clerk", "strong"))
	})
}
