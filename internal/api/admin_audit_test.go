package api_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

const auditPath = "/api/admin/audit"

// auditWorld returns a world with changes in both workspaces.
func auditWorld(t *testing.T) *world {
	t.Helper()
	w := newWorld(t, settings{})
	newSubjects(t, w)
	addKey(t, w, "admin", home, access.Administrator)
	addKey(t, w, "stranger", away, access.Administrator)
	for i, name := range []string{"=1+1", "+1", "-1", "@a", "\ttab", "\rcr", "\nlf", "＝1", "plain", "a,\"b\"\nc", "ä=", "'quoted"} {
		w.clock.Advance(1e9)
		body := toJSON(t, map[string]any{"name": name})
		w.must(t, http.StatusCreated, []string{"admin", "root"}[i%2], http.MethodPost, "/api/public/v2/folders", body)
	}
	w.must(t, http.StatusCreated, "stranger", http.MethodPost, "/api/public/v2/folders", `{"name":"theirs alone"}`)
	return w
}

func TestAuditFilters(t *testing.T) {
	t.Parallel()
	w := auditWorld(t)
	all := w.entries(t, "admin", "limit=1000")
	first := all[len(all)-1]
	last := all[0]
	tests := []struct {
		query string
		keeps func(e entryLine) bool
	}{
		{"action=create", func(e entryLine) bool { return e.Action == "create" }},
		{"subject_kind=folder", func(e entryLine) bool { return e.SubjectKind == "folder" }},
		{fmt.Sprintf("subject_id=%d", last.SubjectID), func(e entryLine) bool { return e.SubjectID == last.SubjectID }},
		{"actor=root", func(e entryLine) bool { return e.Actor == "root" }},
		{"actor_kind=key", func(e entryLine) bool { return e.ActorKind == "key" }},
		{"actor_kind=program&subject_kind=KEY", func(e entryLine) bool { return e.ActorKind == "program" && e.SubjectKind == "KEY" }},
		{fmt.Sprintf("actor_id=%d", *last.ActorID), func(e entryLine) bool { return e.ActorID != nil && *e.ActorID == *last.ActorID }},
		{"until=2026-03-15T12:00:00Z", func(e entryLine) bool { return e.ActorKind == "program" }},
		{"from=2026-03-15T12:00:01Z", func(e entryLine) bool { return e.ActorKind == "key" }},
		{fmt.Sprintf("before=%d", last.ID), func(e entryLine) bool { return e.ID < last.ID }},
		{fmt.Sprintf("before=%d", first.ID), func(entryLine) bool { return false }},
		{"action=nothing", func(entryLine) bool { return false }},
	}
	for _, tt := range tests {
		want := []entryLine{}
		for _, entry := range all {
			if tt.keeps(entry) {
				want = append(want, entry)
			}
		}
		if diff := cmp.Diff(want, w.entries(t, "admin", "limit=1000&"+tt.query)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.query, diff)
		}
	}
}

// TestAuditOfSkillCollection filters by the UUID, the only id that clients
// know, also after the collection is deleted.
func TestAuditOfSkillCollection(t *testing.T) {
	t.Parallel()
	w := auditWorld(t)
	const uuid = "0f8fad5b-d9cb-469f-a165-70867728950e"
	for name, id := range map[string]string{"guide": uuid, "other": "7c9e6679-7425-40de-944b-e07fc1f90ae7"} {
		check.Must(w.catalog.Entities.CreateEntity(t.Context(), entity.New{WorkspaceID: home, Kind: entity.KindSkill, UUID: id, Name: name}))(t)
	}
	w.must(t, http.StatusOK, "root", http.MethodPatch, skillPath+"/"+uuid, `{"name":"manual"}`)
	w.must(t, http.StatusOK, "root", http.MethodDelete, "/api/public/v2/folders/entities", `{"entities":[{"id":"`+uuid+`","type":"SKILL_COLLECTION"}]}`)
	want := []string{
		`delete manual {"uuid":"` + uuid + `"}`, `rename manual {"before":"guide","uuid":"` + uuid + `"}`, `create guide {"uuid":"` + uuid + `"}`,
	}
	for _, query := range []string{"subject_id=" + uuid, "subject_kind=skill&subject_id=" + strings.ToUpper(uuid)} {
		got := []string{}
		for _, e := range w.must(t, http.StatusOK, "admin", http.MethodGet, auditPath+"?"+query, "")["entries"].([]any) {
			entry := e.(map[string]any)
			got = append(got, fmt.Sprint(entry["action"], " ", entry["subject_name"], " ", asText(t, entry["detail"])))
		}
		check.Equal(t, query, got, want)
	}
	for _, nothing := range []string{"subject_kind=prompt&subject_id=" + uuid, "subject_id=00000000-0000-0000-0000-000000000000"} {
		check.Equal(t, nothing, w.entries(t, "admin", nothing), []entryLine{})
	}
	check.Equal(t, "of a stranger", w.entries(t, "stranger", "subject_id="+uuid), []entryLine{})
}

func TestAuditPages(t *testing.T) {
	t.Parallel()
	w := auditWorld(t)
	all := w.entries(t, "admin", "limit=1000")
	var paged []entryLine
	query := "limit=5"
	for range all {
		page := w.must(t, http.StatusOK, "admin", http.MethodGet, auditPath+"?"+query, "")
		paged = append(paged, w.entries(t, "admin", query)...)
		if page["next_before"] == nil {
			break
		}
		query = fmt.Sprintf("limit=5&before=%d", number(page, "next_before"))
	}
	if diff := cmp.Diff(all, paged); diff != "" {
		t.Errorf("pages (-all +paged):\n%s", diff)
	}
	if !slices.IsSortedFunc(all, func(a, b entryLine) int { return int(b.ID - a.ID) }) {
		t.Error("the newest is not first")
	}
}

// TestAuditOfAnotherWorkspace asks for entries of other workspaces.
func TestAuditOfAnotherWorkspace(t *testing.T) {
	t.Parallel()
	w := auditWorld(t)
	for _, path := range []string{auditPath + "?limit=1000", auditPath + "/export", auditPath + "/export?format=csv"} {
		for who, secret := range map[string]string{"admin": "theirs alone", "stranger": "plain"} {
			got, err := w.send(who, http.MethodGet, path, nil)
			check.OK(t, err)
			if got.status != http.StatusOK || strings.Contains(string(got.body), secret) {
				t.Errorf("%s sees %d %s", who, got.status, clip(string(got.body)))
			}
		}
	}
	for _, entry := range w.entries(t, "admin", "limit=1000") {
		if entry.WorkspaceID == nil || *entry.WorkspaceID != home {
			t.Errorf("home's log has %+v", entry)
		}
	}
	for _, entry := range w.entries(t, "root", "limit=1000&workspace_id=2") {
		if entry.WorkspaceID == nil || *entry.WorkspaceID != away {
			t.Errorf("away's log has %+v", entry)
		}
	}
	w.must(t, http.StatusNotFound, "admin", http.MethodGet, auditPath+"/export?workspace_id=2", "")
}

// TestAuditExports compares the exports with the list.
func TestAuditExports(t *testing.T) {
	t.Parallel()
	w := auditWorld(t)
	for _, filter := range []string{"", "&subject_kind=folder", "&actor=root", "&action=nothing"} {
		listed := w.must(t, http.StatusOK, "admin", http.MethodGet, auditPath+"?limit=1000"+filter, "")["entries"].([]any)
		lines, err := w.send("admin", http.MethodGet, auditPath+"/export?format=ndjson"+filter, nil)
		check.OK(t, err)
		decoder := json.NewDecoder(bytes.NewReader(lines.body))
		exported := []any{}
		for decoder.More() {
			var entry any
			check.OK(t, decoder.Decode(&entry))
			exported = append(exported, entry)
		}
		if diff := cmp.Diff(listed, exported); diff != "" {
			t.Errorf("lines of %q (-list +export):\n%s", filter, diff)
		}
		if kind := lines.header.Get("Content-Type"); kind != "application/x-ndjson" {
			t.Errorf("lines have the type %q", kind)
		}
		checkCSV(t, w, filter, listed)
	}
}

// checkCSV compares the table with the list. Names that a spreadsheet would
// evaluate are prefixed with an apostrophe.
func checkCSV(t *testing.T, w *world, filter string, listed []any) {
	t.Helper()
	got, err := w.send("admin", http.MethodGet, auditPath+"/export?format=csv"+filter, nil)
	check.OK(t, err)
	rows, err := csv.NewReader(bytes.NewReader(got.body)).ReadAll()
	check.OK(t, err)
	if len(rows) != len(listed)+1 {
		t.Fatalf("%d entries have %d rows", len(listed), len(rows))
	}
	for i, row := range rows[1:] {
		entry := listed[i].(map[string]any)
		for column, name := range rows[0] {
			want := ""
			switch value := entry[name].(type) {
			case string:
				want = value
			case float64:
				want = fmt.Sprint(int64(value))
			case map[string]any:
				want = toJSON(t, value)
			}
			cell := strings.ReplaceAll(row[column], "\r\n", "\n")
			if strings.ContainsAny(cell[:min(1, len(cell))], "=+-@\t\r\n") || strings.HasPrefix(cell, "＝") {
				t.Errorf("%s can be run: %q", name, cell)
			}
			if cell != want && cell != "'"+want {
				t.Errorf("%s of entry %v is %q, want %q", name, entry["id"], cell, want)
			}
		}
	}
}
