package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/audit"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/rest"
)

// role is a caller in the test of the permission table.
type role struct {
	name  string
	roles []access.Role
	// strict means that the workspace requires roles.
	strict bool
	held   access.Permissions
	key    int64
}

// custom are the roles of the home workspace in the test of the permission table.
// Each edits some kinds and not others.
var custom = map[access.Role]access.Permissions{
	"Prompt author": access.SetOf(access.Read, access.PromptCreate, access.PromptEdit, access.DatasetEdit),
	"Tester":        access.SetOf(access.Read, access.ReportEdit, access.ReportRun, access.WorkflowEdit, access.WorkflowDelete),
}

// everyRole returns callers with each built-in role, with two roles, with custom
// roles, and without any, both if roles are required and if not.
func everyRole(t *testing.T, w *world) []*role {
	t.Helper()
	var within access.Permissions
	for p := range access.Own {
		within |= access.SetOf(p)
	}
	callers := []*role{
		{name: "no role", held: within &^ access.SetOf(access.Admin, access.ManageData, access.ManageWebhooks)},
		{name: "no role where one is needed", strict: true, held: access.SetOf(access.Read)},
		{name: "Publisher and Developer", roles: []access.Role{access.Publisher, access.Developer}},
	}
	for _, one := range access.Roles() {
		callers = append(callers, &role{name: string(one), roles: []access.Role{one}})
	}
	for name, permissions := range custom {
		_, err := w.catalog.Accounts.CreateRole(context.Background(), access.CustomRole{WorkspaceID: home, Name: name, Permissions: permissions})
		check.OK(t, err)
		callers = append(callers, &role{name: string(name), roles: []access.Role{name}})
	}
	for _, caller := range callers {
		for _, one := range caller.roles {
			caller.held |= one.Permissions() | custom[one]
		}
		caller.key = addKey(t, w, caller.name, home, caller.roles...)
	}
	return callers
}

// demand sets whether the workspace requires roles.
func demand(t *testing.T, w *world, strict bool) {
	t.Helper()
	_, err := w.catalog.Accounts.RequireRoles(context.Background(), home, strict)
	check.OK(t, err)
	w.access.Guard().Forget()
}

// TestEveryOperationHasAPermission compares the permission table with the
// operations.
func TestEveryOperationHasAPermission(t *testing.T) {
	t.Parallel()
	rows := map[string]bool{}
	for _, s := range samples() {
		if s.may == nil || operation(s.op) == nil {
			t.Errorf("the row %s %s says nothing, or of no operation", s.op, s.name)
		}
		if s.audit != "" && s.silent != "" {
			t.Errorf("the row %s %s is audited and silent", s.op, s.name)
		}
		rows[s.op] = true
	}
	for _, op := range api.Operations(api.Services{}) {
		if !rows[op.ID] && op.Auth != rest.AuthNone {
			t.Errorf("%s %s (%s) has no row in the permission table", op.Method, op.Path, op.ID)
		}
	}
}

func operation(id string) *rest.Op {
	for _, op := range api.Operations(api.Services{}) {
		if op.ID == id {
			return &op
		}
	}
	return nil
}

// request returns a sample with its subjects.
func (s *sample) request(subjects *subjects) (method, path, body string) {
	op := operation(s.op)
	path = s.path
	if path == "" {
		path = op.Path
	}
	// The body comes first: it creates the contents of folders.
	body = subjects.fill(s.body)
	return op.Method, subjects.fill(path), body
}

func (s *sample) success() int {
	if s.status == 0 {
		return http.StatusOK
	}
	return s.status
}

// TestEveryOperationForEveryRole sends every sample as every role: first
// those that are rejected, which must change nothing, then the others, which
// must be audited. Everything stored is compared for each sample, so the samples
// are spread over several small worlds.
func TestEveryOperationForEveryRole(t *testing.T) {
	t.Parallel()
	all := samples()
	size := (len(all) + permissionWorlds - 1) / permissionWorlds
	for part := range slices.Chunk(all, size) {
		t.Run(part[0].op, func(t *testing.T) {
			t.Parallel()
			tryEveryRole(t, part)
		})
	}
}

// permissionWorlds is the number of worlds for TestEveryOperationForEveryRole.
const permissionWorlds = 10

func tryEveryRole(t *testing.T, samples []sample) {
	t.Helper()
	w := newWorld(t, settings{})
	subjects, stored, callers := newSubjects(t, w), newReader(t, w), everyRole(t, w)
	for _, s := range samples {
		t.Run(s.op+" "+s.name, func(t *testing.T) {
			subjects.t = t
			subjects.fresh()
			method, path, body := s.request(subjects)
			for _, strict := range []bool{false, true} {
				demand(t, w, strict)
				before := stored.dump(t)
				for _, caller := range callers {
					if !s.may(caller.held) && caller.strict == strict {
						refused(t, w, caller.name, method, path, body)
					}
				}
				before.same(t, stored.dump(t))
			}
			for _, caller := range callers {
				if s.may(caller.held) {
					s.allowed(t, w, subjects, caller)
				}
			}
			subjects.awaitRuns()
		})
	}
}

func refused(t *testing.T, w *world, who, method, path, body string) {
	t.Helper()
	got, err := w.send(who, method, path, []byte(body))
	check.OK(t, err)
	if got.status != http.StatusForbidden {
		t.Errorf("%s: %s %s %s is answered with %d %s, want 403", who, method, path, clip(body), got.status, clip(string(got.body)))
	}
	checkErrorShape(t, got.status, got.body)
}

func (s *sample) allowed(t *testing.T, w *world, subjects *subjects, caller *role) {
	t.Helper()
	demand(t, w, caller.strict)
	subjects.fresh()
	method, path, body := s.request(subjects)
	subjects.awaitRuns() // a workspace has one re-pricing at a time
	before := newestEntry(t, w)
	got, err := w.send(caller.name, method, path, []byte(body))
	check.OK(t, err)
	if got.status != s.success() {
		t.Errorf("%s: %s %s %s is answered with %d %s, want %d", caller.name, method, path, clip(body), got.status, clip(string(got.body)), s.success())
		return
	}
	s.checkAudit(t, w, caller, before)
}

// entryLine is an audit entry on the wire.
type entryLine struct {
	ID          int64  `json:"id"`
	WorkspaceID *int64 `json:"workspace_id"`
	ActorKind   string `json:"actor_kind"`
	ActorID     *int64 `json:"actor_id"`
	Actor       string `json:"actor"`
	Action      string `json:"action"`
	SubjectKind string `json:"subject_kind"`
	SubjectID   int64  `json:"subject_id"`
	SubjectName string `json:"subject_name"`
}

// entries returns a page of the audit log for a caller.
func (w *world) entries(t *testing.T, who, query string) []entryLine {
	t.Helper()
	got, err := w.send(who, http.MethodGet, "/api/admin/audit?"+query, nil)
	check.OK(t, err)
	var list struct{ Entries []entryLine }
	check.OK(t, json.Unmarshal(got.body, &list))
	if got.status != http.StatusOK {
		t.Fatalf("the audit log is answered with %d %s", got.status, got.body)
	}
	return list.Entries
}

// newestEntry returns the id of the newest entry of all.
func newestEntry(t *testing.T, w *world) int64 {
	t.Helper()
	newest := int64(0)
	for _, query := range []string{"limit=1", "limit=1&installation=true"} {
		for _, entry := range w.entries(t, "root", query) {
			newest = max(newest, entry.ID)
		}
	}
	return newest
}

// installation has the actions that do not concern a workspace.
var installation = []string{"createWorkspace", "updateUser owner", "createSignInLink ", "exportAuditEntries"}

// checkAudit requires an entry of the caller with the action and the subject
// after a write, and none after a read.
func (s *sample) checkAudit(t *testing.T, w *world, caller *role, before int64) {
	t.Helper()
	query := "limit=20"
	if slices.Contains(installation, s.op) || slices.Contains(installation, s.op+" "+s.name) {
		query += "&installation=true"
	}
	var found []string
	for _, entry := range w.entries(t, "root", query) {
		if entry.ID <= before || entry.ActorKind == string(audit.ByProgram) {
			continue // a job that the caller started may have ended by now
		}
		if entry.ActorKind != "key" || entry.ActorID == nil || *entry.ActorID != caller.key || entry.Actor != caller.name || entry.SubjectID == 0 {
			t.Errorf("%s is audited as %+v", caller.name, entry)
		}
		found = append(found, entry.Action+" "+entry.SubjectKind)
	}
	if s.audit == "" && len(found) > 0 || s.audit != "" && !slices.Contains(found, s.audit) {
		t.Errorf("%s: the audit log has %q, want %q", caller.name, found, s.audit)
	}
}
