package api_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

// ours are the names with a dollar sign that do not refer to an existing
// subject.
var ours = []string{"$new", "$newer"}

// names reports whether a sample refers to something in the home workspace.
func (s *sample) names() bool {
	return slices.ContainsFunc(subjectName.FindAllString(s.path+s.body, -1), func(name string) bool { return !slices.Contains(ours, name) })
}

// TestOtherWorkspacesAreNotFound sends every sample about one workspace with
// a key that may do everything in another one. The subject is not found and
// nothing changes; if the name matches something of the caller's own
// workspace, nothing that existed before changes.
func TestOtherWorkspacesAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored := newSubjects(t, w), newReader(t, w)
	addKey(t, w, "stranger", away, access.Administrator)
	seen := 0
	for _, s := range samples() {
		if !s.names() && s.foreign == 0 {
			continue
		}
		seen++
		t.Run(s.op+" "+s.name, func(t *testing.T) {
			subjects.t = t
			subjects.fresh()
			method, path, body := s.request(subjects)
			before := stored.dump(t)
			got, err := w.send("stranger", method, path, []byte(body))
			check.OK(t, err)
			want := http.StatusNotFound
			if s.foreign != 0 {
				want = s.foreign
			}
			if got.status != want {
				t.Errorf("%s %s %s is answered with %d %s, want %d", method, path, clip(body), got.status, clip(string(got.body)), want)
			}
			after := stored.dump(t)
			if want >= http.StatusBadRequest {
				before.same(t, after)
				return
			}
			for _, line := range before.missing(after) {
				if !strings.HasPrefix(line, "away ") { // the other workspace's own logs are added
					t.Errorf("something of before is gone: %s", line)
				}
			}
		})
	}
	if seen < 40 {
		t.Errorf("only %d samples name something", seen)
	}
}

// TestMembersHaveTheirRoles compares the permissions of people and keys with
// each role.
func TestMembersHaveTheirRoles(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	newSubjects(t, w)
	for _, role := range access.Roles() {
		if role == access.Owner || role == access.Ingest {
			continue // people become owners in another way, and cannot have the other
		}
		addKey(t, w, string(role), home, role)
		token := w.signUp(t, string(role)+"@x.test", home, role)
		byKey := w.must(t, http.StatusOK, string(role), http.MethodGet, sessionPath, "")
		bySession := w.must(t, http.StatusOK, "nobody", http.MethodGet, sessionPath, "", cookieOf(token))
		if a, b := asText(t, byKey["permissions"]), asText(t, bySession["permissions"]); a != b || a != asText(t, role.Permissions().Names()) {
			t.Errorf("%s: a key may %s, a member %s", role, a, b)
		}
	}
}

func asText(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	check.OK(t, err)
	return string(text)
}
