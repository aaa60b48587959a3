package access_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/catalog/catalogtest"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
	"github.com/promptuary/promptuary/internal/fault"
)

const (
	contributing = "READ PROMPT_CREATE PROMPT_EDIT PROMPT_DELETE WORKFLOW_CREATE WORKFLOW_EDIT WORKFLOW_DELETE " +
		"DATASET_CREATE DATASET_EDIT DATASET_DELETE REPORT_CREATE REPORT_EDIT REPORT_DELETE " +
		"TOOL_CREATE TOOL_EDIT TOOL_DELETE SKILL_CREATE SKILL_EDIT SKILL_DELETE REQUEST_CREATE METADATA_EDIT WORKFLOW_RUN REPORT_RUN"
	publishing    = "READ PROMPT_DEPLOY WORKFLOW_DEPLOY TOOL_DEPLOY SKILL_DEPLOY"
	withoutAdmin  = contributing + " " + publishing + " MANAGE_ENV_VARS MANAGE_API_KEYS MANAGE_PRICES MANAGE_ALERTS"
	administering = withoutAdmin + " MANAGE_DATA MANAGE_WEBHOOKS ADMIN"
)

// rolePermissions are the permissions of each role.
var rolePermissions = map[access.Role]string{
	access.Ingest:        "REQUEST_CREATE METADATA_EDIT",
	access.Viewer:        "READ",
	access.Logger:        "READ REQUEST_CREATE METADATA_EDIT",
	access.Contributor:   contributing,
	access.Publisher:     publishing,
	access.Editor:        contributing + " " + publishing,
	access.Developer:     "READ MANAGE_API_KEYS",
	access.Administrator: administering,
	access.Owner:         administering + " OWN",
}

// same fails the test unless a set has exactly the named permissions.
func same(t *testing.T, what string, got access.Permissions, words string) {
	t.Helper()
	want := map[string]bool{}
	for _, name := range strings.Fields(words) {
		want[name] = true
	}
	held := map[string]bool{}
	for _, name := range got.Names() {
		held[name] = true
	}
	if diff := cmp.Diff(want, held); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestRolePermissions(t *testing.T) {
	t.Parallel()
	for _, role := range access.Roles() {
		words, ok := rolePermissions[role]
		if !ok {
			t.Errorf("the role %s is not in the table", role)
		}
		same(t, string(role), role.Permissions(), words)
	}
	if len(access.Roles()) != len(rolePermissions) {
		t.Errorf("there are %d roles, want %d", len(access.Roles()), len(rolePermissions))
	}
	same(t, "an unknown role", access.Role("Emperor").Permissions(), "")
}

func TestRoleNamed(t *testing.T) {
	t.Parallel()
	for _, role := range access.Roles() {
		for _, spelling := range []string{string(role), strings.ToLower(string(role)), strings.ToUpper(string(role))} {
			check.Equal(t, spelling, access.RoleNamed(spelling), role)
		}
	}
	for _, name := range []string{"", "Emperor", "Viewer ", "Admin,Viewer"} {
		check.Equal(t, name, access.RoleNamed(name), access.Role(name))
	}
}

// The permissions of a key depend on its roles and on whether its workspace
// requires roles.
func TestKeyPermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	for name, test := range map[string]struct {
		roles          []access.Role
		free, required string
	}{
		"no role":   {nil, withoutAdmin, "READ"},
		"viewer":    {[]access.Role{access.Viewer}, "READ", "READ"},
		"ingest":    {[]access.Role{access.Ingest}, "REQUEST_CREATE METADATA_EDIT", "REQUEST_CREATE METADATA_EDIT"},
		"publisher": {[]access.Role{access.Publisher}, publishing, publishing},
		"union": {
			[]access.Role{access.Developer, access.Publisher, access.Viewer},
			publishing + " MANAGE_API_KEYS", publishing + " MANAGE_API_KEYS",
		},
		"contributor and publisher are editor": {
			[]access.Role{access.Contributor, access.Publisher}, contributing + " " + publishing, contributing + " " + publishing,
		},
		"administrator": {[]access.Role{access.Administrator}, administering, administering},
		"owner":         {[]access.Role{access.Owner}, administering + " OWN", administering + " OWN"},
	} {
		_, secret := w.key(access.NewKeyInput{Name: name, Roles: test.roles})
		for required, want := range map[bool]string{false: test.free, true: test.required} {
			check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{RolesRequired: &required}))(t)
			same(t, name, check.Must(w.identify(secret))(t).Permissions, want)
		}
		check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{RolesRequired: new(false)}))(t)
	}
}

// Users have the permissions of their roles; owners have all permissions.
func TestUserPermissions(t *testing.T) {
	t.Parallel()
	w := newWorld(t, catalogtest.SQLite(t))
	plain, viewer, owner := w.person("plain@example.com"), w.person("viewer@example.com", access.Viewer), w.person("owner@example.com", access.Viewer)
	check.Must(w.catalog.Accounts.SetOwner(w.ctx, owner.User.ID, true))(t)
	for required, want := range map[bool]string{false: withoutAdmin, true: "READ"} {
		check.Must(w.ChangeWorkspace(w.ctx, w.home, access.WorkspacePatch{RolesRequired: &required}))(t)
		same(t, "without a role", access.CallerOf(w.signedIn(plain.Token)).Permissions, want)
		same(t, "viewer", access.CallerOf(w.signedIn(viewer.Token)).Permissions, "READ")
		same(t, "owner", access.CallerOf(w.signedIn(owner.Token)).Permissions, administering+" OWN")
	}
}

func TestRequire(t *testing.T) {
	t.Parallel()
	with := func(held ...access.Permission) context.Context {
		return access.WithCaller(t.Context(), access.Caller{KeyID: 1, Permissions: access.SetOf(held...)})
	}
	for name, test := range map[string]struct {
		err     error
		allowed bool
		names   string
	}{
		"nothing needed":             {access.Require(with()), true, ""},
		"held":                       {access.Require(with(access.PromptEdit, access.Admin), access.Admin), true, ""},
		"one of two missing":         {access.Require(with(access.Admin), access.Admin, access.Own), false, "ADMIN and OWN"},
		"no caller":                  {access.Require(t.Context(), access.PromptEdit), false, "PROMPT_EDIT"},
		"no caller, any kind":        {access.RequireForAny(t.Context(), access.Edit), false, "PROMPT_EDIT or WORKFLOW_EDIT or DATASET_EDIT or REPORT_EDIT or TOOL_EDIT or SKILL_EDIT"},
		"no caller, edit a prompt":   {access.RequireEach(t.Context(), access.Edit, entity.KindPrompt), false, "PROMPT_EDIT"},
		"the system":                 {access.Require(access.AsSystem(t.Context()), access.Own), true, ""},
		"a caller with nothing":      {access.Require(access.WithCaller(t.Context(), access.Caller{}), access.PromptEdit), false, "PROMPT_EDIT"},
		"any kind":                   {access.RequireForAny(with(access.ToolEdit), access.Edit), true, ""},
		"no kind":                    {access.RequireForAny(with(access.ToolDelete, access.MetadataEdit), access.Edit), false, "PROMPT_EDIT or"},
		"edit a prompt":              {access.RequireEach(with(access.PromptEdit), access.Edit, entity.KindPrompt, entity.KindABTest, entity.KindVariableSet), true, ""},
		"edit a folder":              {access.RequireEach(with(access.DatasetEdit), access.Edit, entity.KindFolder), true, ""},
		"edit a folder as publisher": {access.RequireEach(with(access.PromptDeploy), access.Edit, entity.KindFolder), false, "PROMPT_EDIT or"},
		"edit one kind of two":       {access.RequireEach(with(access.PromptEdit), access.Edit, entity.KindPrompt, entity.KindWorkflow), false, "WORKFLOW_EDIT"},
		"delete a report":            {access.RequireEach(with(access.ReportDelete), access.Delete, entity.KindReport), true, ""},
		"edit is not delete":         {access.RequireEach(with(access.ReportEdit), access.Delete, entity.KindReport), false, "REPORT_DELETE"},
		"delete a folder":            {access.RequireEach(with(access.SkillDelete), access.Delete, entity.KindFolder), true, ""},
		"an unknown kind":            {access.RequireEach(with(access.Admin), access.Edit, entity.Kind("cake")), false, ""},
	} {
		if test.allowed != (test.err == nil) || !test.allowed && (!fault.Is(test.err, fault.Forbidden) || !strings.Contains(test.err.Error(), test.names)) {
			t.Errorf("%s: %v", name, test.err)
		}
	}
}

// Every kind has its own permissions for editing, deleting and deploying.
func TestPermissionsByKind(t *testing.T) {
	t.Parallel()
	for kind, prefix := range map[entity.Kind]string{
		entity.KindPrompt: "PROMPT", entity.KindABTest: "PROMPT", entity.KindVariableSet: "PROMPT",
		entity.KindWorkflow: "WORKFLOW", entity.KindDataset: "DATASET", entity.KindReport: "REPORT",
		entity.KindTool: "TOOL", entity.KindSkill: "SKILL",
	} {
		for p := access.PromptCreate; p <= access.Own; p++ {
			ctx := access.WithCaller(t.Context(), access.Caller{Permissions: access.SetOf(p)})
			if got, want := access.RequireFor(ctx, kind, access.Edit) == nil, p.String() == prefix+"_EDIT"; got != want {
				t.Errorf("edit %s with %s: %t, want %t", kind, p, got, want)
			}
			if got, want := access.RequireFor(ctx, kind, access.Delete) == nil, p.String() == prefix+"_DELETE"; got != want {
				t.Errorf("delete %s with %s: %t, want %t", kind, p, got, want)
			}
			labelled := kind != entity.KindABTest && kind != entity.KindVariableSet
			if got, want := access.RequireFor(ctx, kind, access.Deploy) == nil, labelled && p.String() == prefix+"_DEPLOY"; got != want {
				t.Errorf("move a label of %s with %s: %t, want %t", kind, p, got, want)
			}
		}
	}
}

func TestCallerOfContext(t *testing.T) {
	t.Parallel()
	if got := access.CallerOf(t.Context()); got != (access.Caller{}) {
		t.Errorf("CallerOf without a caller = %v", got)
	}
	want := access.Caller{KeyID: 1, Workspace: 2}
	if got := access.CallerOf(access.WithCaller(t.Context(), want)); got != want {
		t.Errorf("CallerOf = %v, want %v", got, want)
	}
}
