package api_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// TestMutatedSkillBodies replaces each member of valid bodies with values of
// every type. Each response must be documented, and rejected requests must
// change nothing.
func TestMutatedSkillBodies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, request, body string }{
		{"create", "POST " + skillPath, `{"name": "x", "folder_id": 910010, "provider": "openai", "commit_message": "m", "files": [{"path": "a/b", "content": "c"}, {"path": "d"}]}`},
		{"save", "POST " + skillPath + "/c/versions", `{"file_updates": [{"path": "new", "content": "c"}], "moves": [{"from": "m", "to": "m"}, {"old_path": "n", "new_path": "n"}],
			"commit_message": "m", "release_label": "prod", "provider": "openai"}`},
		{"delete", "POST " + skillPath + "/c/versions", `{"deletes": ["gone"], "file_updates": [{"path": "gone"}]}`},
		{"rename", "PATCH " + skillPath + "/00000000-0000-4000-8000-000000000001", `{"name": "renamed"}`},
		{"attach", "POST " + skillPath + "/c/external-ids", `{"source": "s", "external_id": "i"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.post(t, http.StatusCreated, skillPath, `{"name":"c","files":[{"path":"m"},{"path":"n"},{"path":"gone"}]}`)
			method, path, _ := strings.Cut(tt.request, " ")
			m := promptMutation{t: t, world: w, document: newDocument(t, w), method: method, path: path}
			var body any
			check.OK(t, json.Unmarshal([]byte(tt.body), &body))
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
