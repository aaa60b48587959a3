package api_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

const rolesPath = "/api/admin/roles"

// TestMoveNeedsEditPermissionOfEachKind moves entities with a custom role that
// edits prompts and datasets, but not workflows.
func TestMoveNeedsEditPermissionOfEachKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	subjects, stored := newSubjects(t, w), newReader(t, w)
	w.must(t, http.StatusCreated, "root", http.MethodPost, rolesPath, `{"name":"Author","permissions":["READ","PROMPT_EDIT","DATASET_EDIT"]}`)
	w.keys["author"] = w.must(t, http.StatusCreated, "root", http.MethodPost, keysPath, `{"roles":["Author"]}`)["api_key"].(string)
	token := w.signUp(t, "ann@x.test", home, "Author")
	body := func(names ...string) string {
		var entities []string
		for _, name := range names {
			kind, _, _ := strings.Cut(strings.ToUpper(name), " ")
			entities = append(entities, fmt.Sprintf(`{"id":%s,"type":%q}`, subjects.id(strings.ToLower(name)), kind))
		}
		return `{"entities":[` + strings.Join(entities, ",") + `],"folder_id":` + subjects.id("target") + `}`
	}
	const path = "/api/public/v2/folders/entities"
	mixed, own := body("prompt", "workflow", "dataset"), body("prompt", "dataset", "folder")
	before := stored.dump(t)
	for who, headers := range map[string][]string{"author": nil, "nobody": {cookieOf(token), csrfOf(token)}} {
		refusal := w.must(t, http.StatusForbidden, who, http.MethodPost, path, mixed, headers...)
		check.Equal(t, "the message", refusal["message"].(string), "You do not have permission to do this: it needs WORKFLOW_EDIT")
	}
	before.same(t, stored.dump(t))
	check.Equal(t, "the number of moved entities", number(w.must(t, http.StatusOK, "author", http.MethodPost, path, own), "moved_count"), 3)
	w.must(t, http.StatusOK, "nobody", http.MethodPost, path, own, cookieOf(token), csrfOf(token))
}

// TestCustomRoleOperations covers the answers of the operations on roles.
func TestCustomRoleOperations(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	newSubjects(t, w)
	addKey(t, w, "admin", home, access.Administrator)
	addKey(t, w, "stranger", away, access.Administrator)
	made := w.must(t, http.StatusCreated, "admin", http.MethodPost, rolesPath, `{"name":"Author","permissions":["PROMPT_EDIT","READ","READ"]}`)
	check.Equal(t, "the permissions", asText(t, made["role"].(map[string]any)["permissions"]), `["READ","PROMPT_EDIT"]`)
	one := fmt.Sprintf("%s/%d", rolesPath, number(made["role"].(map[string]any), "id"))
	for _, tt := range []struct {
		who, method, path, body string
		status                  int
	}{
		{"admin", http.MethodPost, rolesPath, `{"name":"author","permissions":["READ"]}`, 409},
		{"admin", http.MethodPost, rolesPath, `{"name":"Admin","permissions":["READ"]}`, 422},
		{"admin", http.MethodPost, rolesPath, `{"name":"x","permissions":["READ","FLY"]}`, 422},
		{"admin", http.MethodPost, rolesPath, `{"name":"x","permissions":["READ","OWN"]}`, 422},
		{"admin", http.MethodPost, rolesPath, `{"name":"x","permissions":"READ"}`, 422},
		{"admin", http.MethodPost, rolesPath, `{"name":"` + strings.Repeat("x", 65) + `","permissions":["READ"]}`, 422},
		{"admin", http.MethodPost, rolesPath, `{"name":"x"}`, 422},
		{"admin", http.MethodPatch, one, `{"name":"Other","permissions":["READ"]}`, 422},
		{"admin", http.MethodPatch, one, `{"permissions":[]}`, 422},
		{"admin", http.MethodPatch, rolesPath + "/999", `{"permissions":["READ"]}`, 404},
		{"stranger", http.MethodPatch, one, `{"permissions":["READ"]}`, 404},
		{"stranger", http.MethodDelete, one, ``, 404},
		{"admin", http.MethodDelete, rolesPath + "/Viewer", ``, 422},
		{"admin", http.MethodPost, keysPath, `{"roles":["Author","author"]}`, 422},
		{"stranger", http.MethodPost, keysPath, `{"roles":["Author"]}`, 422},
		{"admin", http.MethodPost, usersPath, `{"email":"x@x.test","roles":["Author"]}`, 201},
		{"admin", http.MethodDelete, one, ``, 409},
	} {
		got, err := w.send(tt.who, tt.method, tt.path, []byte(tt.body))
		check.OK(t, err)
		if got.status != tt.status {
			t.Errorf("%s: %s %s %s is answered with %d %s, want %d", tt.who, tt.method, tt.path, clip(tt.body), got.status, got.body, tt.status)
		}
	}
	listed := func(who string) int {
		return len(w.must(t, http.StatusOK, who, http.MethodGet, rolesPath, ``)["roles"].([]any))
	}
	check.Equal(t, "the roles of both workspaces", [2]int{listed("admin"), listed("stranger")}, [2]int{len(access.Roles()) + 1, len(access.Roles())})
}
