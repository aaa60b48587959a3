package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/api"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/rest"
)

const workspaceParameter = "workspace_id"

// takesWorkspace returns where an operation accepts the id of a workspace: the
// name of the part of the request, then keys within the body. It is nil if it
// accepts none.
func (d *document) takesWorkspace(op *rest.Op) []string {
	operation := d.at(d.root, "paths", documented(op.Path), strings.ToLower(op.Method))
	parameters, _ := d.at(operation, "parameters").([]any)
	for _, parameter := range parameters {
		if d.at(parameter, "name") == workspaceParameter {
			return []string{d.at(parameter, "in").(string)}
		}
	}
	schema := d.at(operation, "requestBody", "content", "application/json", "schema")
	return d.workspaceIn(schema, []string{"body"}, 3)
}

// workspaceIn returns where a schema has the id of a workspace, nil if it has
// none.
func (d *document) workspaceIn(schema any, keys []string, depth int) []string {
	properties, _ := d.at(schema, "properties").(map[string]any)
	if _, ok := properties[workspaceParameter]; ok {
		return append(keys, workspaceParameter)
	}
	if depth == 0 {
		return nil
	}
	for name, property := range properties {
		if found := d.workspaceIn(property, append(slices.Clone(keys), name), depth-1); found != nil {
			return found
		}
	}
	return nil
}

var workspaceInPath = regexp.MustCompile(`/workspaces/\d+`)

// nameWorkspace adds the id of a workspace to a request.
func nameWorkspace(t *testing.T, where []string, id int64, path, body string) (newPath, newBody string) {
	t.Helper()
	switch where[0] {
	case "path":
		return workspaceInPath.ReplaceAllString(path, fmt.Sprintf("/workspaces/%d", id)), body
	case "query":
		separator := "?"
		if strings.Contains(path, "?") {
			separator = "&"
		}
		return fmt.Sprintf("%s%s%s=%d", path, separator, workspaceParameter, id), body
	}
	var whole map[string]any
	check.OK(t, json.Unmarshal([]byte(body), &whole))
	at := whole
	for _, key := range where[1 : len(where)-1] {
		at = at[key].(map[string]any)
	}
	at[workspaceParameter] = id
	return path, toJSON(t, whole)
}

// scoped is a sample of an operation that accepts the id of a workspace.
type scoped struct {
	sample
	where []string
}

// scopedSamples returns all of them, and fails the test if an operation that
// accepts the id of a workspace has none.
func scopedSamples(t *testing.T, document *document) []scoped {
	t.Helper()
	var found []scoped
	seen := map[string]bool{}
	for _, s := range samples() {
		if where := document.takesWorkspace(operation(s.op)); where != nil {
			found = append(found, scoped{s, where})
			seen[s.op] = true
		}
	}
	for _, op := range api.Operations(api.Services{}) {
		if document.takesWorkspace(&op) != nil && !seen[op.ID] {
			t.Errorf("%s accepts the id of a workspace, but has no sample", op.ID)
		}
	}
	if len(seen) < 30 {
		t.Errorf("only %d operations accept the id of a workspace", len(seen))
	}
	return found
}

// TestWorkspaceIDOfOthers names workspaces that the caller may not know about,
// in every operation. All answers are those for a workspace that does not exist,
// and nothing changes.
func TestWorkspaceIDOfOthers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored := newSubjects(t, w), newReader(t, w)
	addKey(t, w, "admin", away, access.Administrator)
	addKey(t, w, "roleless", away)
	token := w.signUp(t, "ann@x.test", away, access.Administrator)
	callers := map[string][]string{"admin": nil, "roleless": nil, "nobody": {cookieOf(token), csrfOf(token)}}
	for _, s := range scopedSamples(t, newDocument(t, w)) {
		t.Run(s.op+" "+s.name, func(t *testing.T) {
			subjects.t = t
			subjects.fresh()
			method, path, body := s.request(subjects)
			before := stored.dump(t)
			for who, headers := range callers {
				for _, id := range []int64{home, 999} {
					path, body := nameWorkspace(t, s.where, id, path, body)
					got, err := w.send(who, method, path, []byte(body), headers...)
					check.OK(t, err)
					want := fmt.Sprintf(`{"success":false,"message":"Workspace %d not found","error":"not_found"}`, id)
					if text := strings.TrimSpace(string(got.body)); got.status != http.StatusNotFound || text != want {
						t.Errorf("%s: %s %s %s is answered with %d %s", who, method, path, clip(body), got.status, clip(text))
					}
				}
			}
			before.same(t, stored.dump(t))
		})
	}
}

// TestWorkspaceIDOfOwners sends every sample with an owner's key of another
// workspace, which names the workspace of the sample. Everything happens there.
func TestWorkspaceIDOfOwners(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects := newSubjects(t, w)
	owner := &role{name: "owner", key: addKey(t, w, "owner", away, access.Owner)}
	for _, s := range scopedSamples(t, newDocument(t, w)) {
		t.Run(s.op+" "+s.name, func(t *testing.T) {
			subjects.t = t
			subjects.fresh()
			method, path, body := s.request(subjects)
			named, body := nameWorkspace(t, s.where, home, path, body)
			before := newestEntry(t, w)
			got, err := w.send(owner.name, method, named, []byte(body))
			check.OK(t, err)
			if got.status != s.success() {
				t.Fatalf("%s %s %s is answered with %d %s, want %d", method, named, clip(body), got.status, clip(string(got.body)), s.success())
			}
			s.checkAudit(t, w, owner, before)
			subjects.awaitRuns()
			// An export of the log of the installation has the entry of the one before.
			if method == http.MethodGet && s.op != "exportAuditEntries" {
				direct, err := w.send("root", method, path, nil)
				check.OK(t, err)
				check.Equal(t, "the answer", string(got.body), string(direct.body))
			}
		})
	}
}

// TestWorkspaceIDOfMembers sends every sample with a session that acts in one
// workspace, as its administrator, and names another one, where the person may
// only read. The role there decides.
func TestWorkspaceIDOfMembers(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored := newSubjects(t, w), newReader(t, w)
	token := w.signUp(t, "ann@x.test", away, access.Administrator)
	_, err := w.access.Invite(access.AsSystem(t.Context()), home, "ann@x.test", []access.Role{access.Viewer})
	check.OK(t, err)
	headers := []string{cookieOf(token), csrfOf(token), fmt.Sprintf("X-Workspace-Id: %d", away)}
	for _, s := range scopedSamples(t, newDocument(t, w)) {
		t.Run(s.op+" "+s.name, func(t *testing.T) {
			subjects.t = t
			subjects.fresh()
			method, path, body := s.request(subjects)
			path, body = nameWorkspace(t, s.where, home, path, body)
			want := http.StatusForbidden
			if s.may(access.Viewer.Permissions()) {
				want = s.success()
			}
			before := stored.dump(t)
			got, err := w.send("nobody", method, path, []byte(body), headers...)
			check.OK(t, err)
			if got.status != want {
				t.Errorf("%s %s %s is answered with %d %s, want %d", method, path, clip(body), got.status, clip(string(got.body)), want)
			}
			if want == http.StatusForbidden {
				checkErrorShape(t, got.status, got.body)
				before.same(t, stored.dump(t))
			}
		})
	}
}
