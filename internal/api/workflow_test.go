package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
)

// countingIDs returns a source of consecutive UUIDs, which makes responses
// predictable.
func countingIDs() func() string {
	var last atomic.Int64
	return func() string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", last.Add(1)) }
}

const richConditionals = `[{"position": 0, "operator": "=", "left_config": {"type": "source", "source": {"name": "a"}}, "right_config": {"type": "static_value", "static_value": {"k": [1]}}},
	{"position": 1, "operator": "is_null", "left_config": {"source": "v"}, "right_config": {}}]`

// richWorkflow is a workflow with all members.
const richWorkflow = `{"name": "rich", "folder_id": 910010, "commit_message": "m", "release_labels": ["prod"], "external_ids": [{"source": "s", "external_id": "e"}], "required_input_variables": {"v": "string"},
	"nodes": [{"name": "a", "node_type": "VARIABLE", "configuration": {"value": {"type": "json", "value": 1}, "k": {"l": [1]}}, "is_output_node": false, "dependencies": ["v"]},
		{"name": "b", "node_type": "COALESCE", "configuration": {"sources": ["a", "v"]}, "is_output_node": true, "dependencies": ["a"]},
		{"name": "gone", "node_type": "VARIABLE", "configuration": {"value": 1}, "is_output_node": false, "dependencies": []}],
	"edges": [{"source_node_name": "a", "target_node_name": "b", "is_and": true, "conditionals": ` + richConditionals + `}]}`

const richWorkflowPatch = `{"base_version": 1, "commit_message": "m", "release_labels": ["prod"], "required_input_variables": {"v": "string", "w": "number"},
	"nodes": {"a": {"node_type": "VARIABLE", "configuration": {"k": {"l": null}}, "dependencies": ["v"], "is_output_node": true}, "c": {"node_type": "VARIABLE", "configuration": {"value": 1}}, "gone": null},
	"edges": [{"source_node_name": "a", "target_node_name": "b", "is_and": false, "conditionals": ` + richConditionals + `}]}`

// TestMutatedWorkflowBodies replaces each member of valid bodies with values
// of every type. Each response must be documented, and rejected requests must
// add no version and move no label.
func TestMutatedWorkflowBodies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, request, body string }{
		{"create", "POST /rest/workflows", strings.Replace(richWorkflow, `"name": "rich"`, `"name": null`, 1)},
		{"version", "POST /rest/workflows", strings.Replace(richWorkflow, `"name": "rich"`, `"workflow_id": 910014, "workflow_name": "rich"`, 1)},
		{"patch", "PATCH /rest/workflows/rich", richWorkflowPatch},
		{"attach", "POST /workflows/910012/external-ids", `{"source": "s", "external_id": "i"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			made := strings.Replace(richWorkflow, `"e"`, `"first"`, 1)
			w.post(t, http.StatusCreated, "/rest/workflows", made)
			method, path, _ := strings.Cut(tt.request, " ")
			m := promptMutation{t: t, world: w, document: newDocument(t, w), method: method, path: path}
			var body any
			check.OK(t, json.Unmarshal([]byte(tt.body), &body))
			if tt.name == "create" { // the first that succeeds takes the external id; edges belong to a version
				delete(body.(map[string]any), "external_ids")
				delete(body.(map[string]any), "edges")
			}
			m.send(body, "unchanged")
			if m.refused > 0 {
				t.Fatal("the unchanged body is refused")
			}
			everyChange(body, func(changed any) any { return changed }, "body", m.send)
			if m.refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// TestRolesAndWorkflows has keys with different roles change workflows. All
// may read.
func TestRolesAndWorkflows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	w.post(t, http.StatusCreated, "/rest/workflows", richWorkflow)
	const node = `"nodes": [{"name": "a", "node_type": "VARIABLE", "configuration": {"value": 1}, "is_output_node": true}]`
	requests := map[string]struct{ request, body string }{
		"create":  {"POST /rest/workflows", `{` + node + `}`},
		"release": {"POST /rest/workflows", `{` + node + `, "release_labels": ["prod"]}`},
		"version": {"POST /rest/workflows", `{"workflow_name": "rich", ` + node + `}`},
		"patch":   {"PATCH /rest/workflows/rich", `{}`},
		"move":    {"PATCH /rest/workflows/rich", `{"release_labels": ["prod"]}`},
		"get":     {"GET /workflows/rich", ""},
		"list":    {"GET /workflows", ""},
		"labels":  {"GET /workflows/rich/labels", ""},
	}
	tests := map[access.Role]string{
		access.Viewer:      "get list labels",
		access.Contributor: "create version patch get list labels",
		access.Publisher:   "get list labels",
		access.Editor:      "create release version patch move get list labels",
	}
	for role, allowed := range tests {
		_, secret, err := w.access.CreateKey(access.AsSystem(context.Background()), home, access.NewKeyInput{Name: string(role), Roles: []access.Role{role}})
		check.OK(t, err)
		w.keys[string(role)] = secret
		for name, r := range requests {
			method, path, _ := strings.Cut(r.request, " ")
			got, err := w.send(string(role), method, path, []byte(r.body))
			check.OK(t, err)
			may := strings.Contains(" "+allowed+" ", " "+name+" ")
			if may && got.status >= http.StatusBadRequest || !may && got.status != http.StatusForbidden {
				t.Errorf("%s: %s is answered with %d %s", role, name, got.status, got.body)
			}
		}
	}
}

// TestHostileWorkflows sends graphs of the largest possible size. Each is
// answered in time, and rejected beyond a limit.
func TestHostileWorkflows(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	repeat := func(n int, element func(i int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = element(i)
		}
		return strings.Join(list, ",")
	}
	chain := func(n int, last string) string {
		return `{"nodes": [` + repeat(n, func(i int) string {
			needs := fmt.Sprintf("n%d", i+1)
			if i == n-1 {
				needs = last
			}
			return fmt.Sprintf(`{"name": "n%d", "node_type": "VARIABLE", "configuration": {"value": 1}, "is_output_node": true, "dependencies": [%q]}`, i, needs)
		}) + `], "required_input_variables": {"v": "string"}}`
	}
	deep := strings.Repeat(`{"k":`, 195) + `1` + strings.Repeat(`}`, 195)
	one := func(config string) string {
		return `{"nodes": [{"name": "a", "node_type": "VARIABLE", "configuration": ` + config + `, "is_output_node": true}]}`
	}
	tests := map[string]struct {
		body   string
		status int
	}{
		"the longest chain":       {chain(2000, "v"), http.StatusCreated},
		"the longest cycle":       {chain(2000, "n0"), http.StatusBadRequest},
		"a longer chain":          {chain(2001, "v"), http.StatusUnprocessableEntity},
		"many empty nodes":        {`{"nodes": [` + repeat(1000, func(int) string { return "{}" }) + `]}`, http.StatusUnprocessableEntity},
		"the deepest one":         {one(`{"value": ` + deep + `}`), http.StatusCreated},
		"a large configuration":   {one(`{"value": "` + strings.Repeat("x", 3_900_000) + `"}`), http.StatusCreated},
		"a larger one":            {one(`{"value": "` + strings.Repeat("x", 4_000_000) + `"}`), http.StatusBadRequest},
		"many equal members":      {one(`{` + repeat(300_000, func(int) string { return `"value": 1` }) + `}`), http.StatusCreated},
		"a name of odd letters":   {`{"name": "\u0000", "nodes": []}`, http.StatusUnprocessableEntity},
		"a node that is many":     {`{"nodes": [{` + repeat(200_000, func(i int) string { return fmt.Sprintf(`"k%d": 1`, i) }) + `}]}`, http.StatusUnprocessableEntity},
		"variables without limit": {`{"nodes": [], "required_input_variables": {` + repeat(1001, func(i int) string { return fmt.Sprintf(`"k%d": ""`, i) }) + `}}`, http.StatusUnprocessableEntity},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got, err := w.send("home", http.MethodPost, "/rest/workflows", []byte(tt.body))
			check.OK(t, err)
			if got.status != tt.status {
				t.Errorf("status = %d %s, want %d", got.status, clip(string(got.body)), tt.status)
			}
		})
	}
	w.post(t, http.StatusCreated, "/rest/workflows", strings.Replace(one(`{"value": `+deep+`}`), "{", `{"name": "deep",`, 1))
	w.must(t, http.StatusOK, "home", http.MethodGet, "/workflows/deep", "")
	w.must(t, http.StatusCreated, "home", http.MethodPatch, "/rest/workflows/deep", `{"nodes": {"a": {"configuration": {"value": `+deep+`, "more": `+deep+`}}}}`)
	w.must(t, http.StatusOK, "home", http.MethodGet, "/workflows/deep", "")
}
