package api_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// TestMutatedFolderBodies replaces each member of valid bodies with values of
// every type. Each response must be documented, and rejected requests must
// change nothing.
func TestMutatedFolderBodies(t *testing.T) {
	t.Parallel()
	const base = "/api/public/v2/folders"
	tests := []struct{ name, request, body string }{
		{"create", "POST " + base, `{"name": "new", "parent_id": 910010, "workspace_id": 1, "external_ids": [{"source": "s", "external_id": "e"}]}`},
		{"rename", "PATCH " + base + "/910010", `{"name": "new"}`},
		{"move", "POST " + base + "/entities", `{"entities": [{"id": 910001, "type": "PROMPT"}, {"id": 910004}], "folder_id": 910010, "workspace_id": 1}`},
		{"delete", "DELETE " + base + "/entities", `{"entities": [{"id": 910001, "type": "PROMPT"}, {"id": 910010}], "cascade": true, "workspace_id": 1}`},
		{"attach", "POST " + base + "/910010/external-ids", `{"source": "s", "external_id": "i"}`},
		{"create a set", "POST /api/public/v2/input-variable-sets", `{"name": "new", "variables": {"a": [1]}, "folder_id": 910010, "workspace_id": 1, "external_ids": [{"source": "s", "external_id": "e"}]}`},
		{"change a set", "PATCH /api/public/v2/input-variable-sets/910014", `{"name": "new", "variables": {"a": [1]}}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.post(t, http.StatusCreated, "/api/public/v2/input-variable-sets", `{"name": "old", "variables": {}}`)
			method, path, _ := strings.Cut(tt.request, " ")
			m := promptMutation{t: t, world: w, document: newDocument(t, w), method: method, path: path}
			var body any
			check.OK(t, json.Unmarshal([]byte(tt.body), &body))
			everyChange(body, func(changed any) any { return changed }, "body", m.send)
			refusedBefore := m.refused
			if m.send(body, "unchanged"); m.refused > refusedBefore && !strings.HasPrefix(tt.name, "create") && tt.name != "delete" {
				t.Error("the unchanged body is refused")
			}
			if refusedBefore == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

// TestHostileFolderTexts uses each text as the name and the external id of a
// folder, and finds the folder by it in every possible way.
func TestHostileFolderTexts(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	const base = "/api/public/v2/folders"
	for i, text := range hostileTexts {
		t.Run(fmt.Sprintf("%q", text), func(t *testing.T) {
			body := toJSON(t, map[string]any{
				"name": text, "external_ids": []any{map[string]any{"source": "s", "external_id": fmt.Sprint(i) + text}},
			})
			query := url.QueryEscape(text)
			if strings.Contains(text, "\x00") {
				w.post(t, http.StatusUnprocessableEntity, base, body)
				for _, path := range []string{"?name=", "/entities?search_query=", "/resolve-id?path="} {
					w.must(t, http.StatusUnprocessableEntity, "home", http.MethodGet, base+path+query, "")
				}
				return
			}
			if len(text) > 255 || strings.TrimSpace(text) == "" {
				w.post(t, http.StatusUnprocessableEntity, base, body)
				return
			}
			created := w.post(t, http.StatusCreated, base, body)["folder"].(map[string]any)
			id := number(created, "id")
			if created["name"] != text {
				t.Errorf("the name came back as %q", created["name"])
			}
			child := toJSON(t, map[string]any{"name": text, "parent_id": id})
			inner := number(w.post(t, http.StatusCreated, base, child)["folder"].(map[string]any), "id")
			w.post(t, http.StatusBadRequest, base, child)
			for path, want := range map[string]int64{text: id, text + "." + text: inner, text + "/" + text: inner} {
				found := w.must(t, http.StatusOK, "home", http.MethodGet, base+"/resolve-id?path="+url.QueryEscape(path), "")
				if number(found, "id") != want {
					t.Errorf("the path %q leads to %v, want %d", path, found["id"], want)
				}
			}
			for _, path := range []string{
				"?name=" + query, "/entities?search_query=" + query, "/entities?external_source=s&external_id=" + fmt.Sprint(i) + query,
			} {
				answer := w.must(t, http.StatusOK, "home", http.MethodGet, base+path, "")
				if !strings.Contains(toJSON(t, answer), fmt.Sprintf(`"id":%d,`, id)) {
					t.Errorf("%s does not find the folder: %s", path, clip(toJSON(t, answer)))
				}
			}
			pair := fmt.Sprintf("%s/%d/external-ids/s/%d%s", base, id, i, url.PathEscape(text))
			w.must(t, http.StatusOK, "home", http.MethodDelete, pair, "")
			w.must(t, http.StatusOK, "home", http.MethodDelete, base+"/entities", fmt.Sprintf(`{"entities":[{"id":%d}],"cascade":true}`, id))
		})
	}
}

// TestAllKindsInFolders lists, moves and deletes entities of all kinds, which
// needs nothing but their entities.
func TestAllKindsInFolders(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	ctx := access.AsSystem(context.Background())
	create := func(kind entity.Kind, uuid string) int64 {
		created, err := w.catalog.Entities.CreateEntity(ctx, entity.New{
			WorkspaceID: home, Kind: kind, Name: "new " + string(kind), UUID: uuid, FolderID: new(int64(boxID)),
		})
		check.OK(t, err)
		return created.ID
	}
	const uuid = "0b5a2d0e-0000-4000-8000-000000000001"
	data, report := create(entity.KindDataset, ""), create(entity.KindReport, "")
	tool := create(entity.KindTool, "")
	create(entity.KindSkill, uuid)
	version, err := w.catalog.Entities.AddVersion(ctx, home, data, entity.NewVersion{Body: []byte(`{}`)})
	check.OK(t, err)

	const path = "/api/public/v2/folders/entities"
	list := func(query string) []string {
		lines := []string{}
		for _, e := range w.must(t, http.StatusOK, "home", http.MethodGet, path+"?include_metadata=true&folder_id=910011&"+query, "")["entities"].([]any) {
			e := e.(map[string]any)
			lines = append(lines, fmt.Sprint(e["type"], " ", toJSON(t, e["id"]), " ", toJSON(t, e["metadata"])))
		}
		return lines
	}
	equalLines(t, list(""), []string{
		fmt.Sprintf(`DATASET %d {"isDraft":false,"latest_version_number":1}`, data),
		fmt.Sprintf(`REPORT %d {}`, report),
	})
	equalLines(t, list("filter_type=TOOL,SKILL_COLLECTION"), []string{
		`SKILL_COLLECTION "` + uuid + `" {}`, fmt.Sprintf("TOOL %d {}", tool),
	})
	moved := w.post(t, http.StatusOK, path, fmt.Sprintf(
		`{"entities":[{"id":%d,"type":"DATASET"},{"id":%d},{"id":%d,"type":"REPORT"}],"folder_id":910010}`, version.ID, data, report))
	if number(moved, "moved_count") != 2 {
		t.Errorf("the answer is %v, want 2 moved", moved)
	}
	equalLines(t, list(""), []string{})
	w.post(t, http.StatusBadRequest, path, fmt.Sprintf(`{"entities":[{"id":%d}]}`, tool))
	w.must(t, http.StatusOK, "home", http.MethodDelete, path, fmt.Sprintf(
		`{"entities":[{"id":%q,"type":"SKILL_COLLECTION"},{"id":%d,"type":"TOOL"},{"id":%d}]}`, uuid, tool, report))
	equalLines(t, list("filter_type=TOOL,SKILL_COLLECTION,REPORT&flatten=true"), []string{})
}

func equalLines(t *testing.T, got, want []string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("entities (-want +got):\n%s", diff)
	}
}
