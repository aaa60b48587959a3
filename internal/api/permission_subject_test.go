package api_test

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// subjects creates the subjects of sample requests. A sample refers to them
// by names with a dollar sign: each name becomes a new subject in the home
// workspace, the same one throughout one request.
type subjects struct {
	t     *testing.T
	w     *world
	count int
	known map[string]string
	rows  *reader
}

// newSubjects returns subjects, with an owner's key named root to create
// them.
func newSubjects(t *testing.T, w *world) *subjects {
	t.Helper()
	addKey(t, w, "root", home, access.Owner)
	return &subjects{t: t, w: w, known: map[string]string{}, rows: newReader(t, w)}
}

// addKey adds a named key to a workspace and returns its id.
func addKey(t *testing.T, w *world, name string, workspace int64, roles ...access.Role) int64 {
	t.Helper()
	w.keys[name] = access.NewKey()
	key, err := w.catalog.Accounts.CreateKey(context.Background(), access.Key{
		WorkspaceID: workspace, Name: name, Roles: roles, Hash: access.HashOf(w.keys[name]), LastFour: access.LastFour(w.keys[name]),
	})
	check.OK(t, err)
	return key.ID
}

var subjectName = regexp.MustCompile(`\$[a-zA-Z]+`)

// fresh forgets the subjects, so that the next request gets new ones.
func (s *subjects) fresh() { s.known = map[string]string{} }

// fill replaces the names in a text by subjects.
func (s *subjects) fill(text string) string {
	return subjectName.ReplaceAllStringFunc(text, func(name string) string {
		if _, ok := s.known[name]; !ok {
			s.make(name)
		}
		if s.known[name] == "" {
			s.t.Fatalf("nothing is called %s", name)
		}
		return s.known[name]
	})
}

// unique returns an unused name.
func (s *subjects) unique() string {
	s.count++
	return fmt.Sprintf("sample%d", s.count)
}

func (s *subjects) id(name string) string { return s.fill("$" + name) }

// post creates something as the owner and remembers the value at the path of
// keys.
func (s *subjects) post(name, path, body string, keys ...string) {
	s.t.Helper()
	got, err := s.w.send("root", http.MethodPost, s.fill(path), []byte(s.fill(body)))
	check.OK(s.t, err)
	if got.status >= http.StatusBadRequest {
		s.t.Fatalf("%s %s is answered with %d %s", path, s.fill(body), got.status, clip(string(got.body)))
	}
	object, err := got.object()
	check.OK(s.t, err)
	for _, key := range keys[:len(keys)-1] {
		object = object[key].(map[string]any)
	}
	s.known[name] = fmt.Sprint(int64(object[keys[len(keys)-1]].(float64)))
}

const chatBody = `{"type":"chat","messages":[{"role":"user","content":[{"type":"text","text":"Hi {x}"}]}]}`

func (s *subjects) make(name string) {
	publish := func(named, labels string) {
		s.post(name, "/rest/prompt-templates", `{"prompt_template":{"prompt_name":"`+s.fill(named)+`"},"prompt_version":{"prompt_template":`+chatBody+
			`},"release_labels":[`+labels+`],"external_ids":[{"source":"seen","external_id":"`+s.fill(named)+`"}]}`, "id")
	}
	switch name {
	case "$new", "$newer", "$promptName", "$folderName", "$labelled", "$textName", "$flowName", "$gadgetName":
		s.known[name] = s.unique()
	case "$prompt":
		publish("$promptName", "")
	case "$other":
		publish(s.unique(), "")
	case "$live":
		publish("$labelled", `"prod"`)
	case "$label":
		s.post(name, "/prompts/$prompt/label", `{"name":"qa","prompt_version_number":1}`, "id")
	case "$flow":
		s.post(name, "/rest/workflows", `{"name":"$flowName","release_labels":["seen"],"external_ids":[{"source":"seen","external_id":"$flowName"}],`+workflowNodes+`}`, "workflow_id")
	case "$run":
		s.post(name, "/workflows/$flow/run", `{}`, "workflow_version_execution_id")
		s.awaitRuns()
	case "$text":
		s.post(name, "/rest/publish-prompt-template", `{"prompt_name":"$textName","prompt_template":{"template":"t"}}`, "id")
	case "$test":
		s.post(name, "/api/public/v2/ab-tests", `{"name":"$new","prompt_id":$live,"release_label":"prod","weights":[{"version_number":1,"weight":100}]}`, "ab_test", "id")
	case "$folder":
		s.post(name, "/api/public/v2/folders", `{"name":"$folderName","external_ids":[{"source":"seen","external_id":"$folderName"}]}`, "folder", "id")
	case "$target", "$full", "$mixed":
		s.post(name, "/api/public/v2/folders", `{"name":"`+s.unique()+`"}`, "folder", "id")
	case "$set":
		s.post(name, "/api/public/v2/input-variable-sets", `{"name":"`+s.unique()+`","variables":{}}`, "input_variable_set", "id")
	case "$var":
		s.post(name, "/api/public/v2/env-vars", `{"key":"`+s.unique()+`","value":"v"}`, "workspace_env_var", "id")
	case "$gadget":
		s.post(name, toolsPath, `{"name":"$gadgetName","release_labels":["seen"],"external_ids":[{"source":"seen","external_id":"$gadgetName"}],`+toolParts+`}`, "tool_registry", "id")
	case "$gadgetVar":
		s.post(name, toolsPath+"/$gadget/env-vars", `{"key":"`+s.unique()+`","value":"v"}`, "tool_env_var", "id")
	case "$group":
		s.post(name, "/create-group", `{}`, "id")
	case "$log":
		s.post(name, "/log-request", toJSON(s.t, logBody(nil)), "id")
	default:
		s.makeMore(name)
	}
}

// kindOf has the names of entities that are created directly in the catalog,
// alone or in a folder.
var kindOf = map[string]entity.Kind{
	"$workflow": entity.KindWorkflow, "$dataset": entity.KindDataset, "$report": entity.KindReport, "$tool": entity.KindTool,
	"$insideWorkflow": entity.KindWorkflow, "$insidePrompt": entity.KindPrompt, "$mixedDataset": entity.KindDataset,
}

func (s *subjects) makeMore(name string) {
	ctx := access.AsSystem(context.Background())
	if kind, ok := kindOf[name]; ok {
		made := entity.New{WorkspaceID: home, Kind: kind, Name: s.unique()}
		switch name {
		case "$insideWorkflow", "$insidePrompt":
			made.FolderID = s.number("full")
		case "$mixedDataset":
			made.FolderID = s.number("mixed")
		}
		created, err := s.w.catalog.Entities.CreateEntity(ctx, made)
		check.OK(s.t, err)
		s.known[name] = fmt.Sprint(created.ID)
	}
	s.makeDataset(name)
	s.makeEvaluation(name)
	s.makeView(name)
	s.makePrice(name)
	s.makeTrace(name)
	s.makeWebhook(name)
	s.makeAlert(name)
	s.makeImport(name)
	s.makeSavedExport(name)
	switch name {
	case "$skill":
		s.makeSkill(name)
	case "$key":
		s.post(name, "/api/admin/keys", `{"name":"`+s.unique()+`","roles":["Viewer"]}`, "key", "id")
	case "$strongKey":
		s.post(name, "/api/admin/keys", `{"name":"`+s.unique()+`","roles":["Admin"]}`, "key", "id")
	case "$role":
		s.post(name, "/api/admin/roles", `{"name":"`+s.unique()+`","permissions":["READ"]}`, "role", "id")
	case "$user":
		s.post(name, "/api/admin/users", `{"email":"`+s.unique()+`@x.test","roles":["Viewer"]}`, "user", "id")
	}
}

// awaitRuns waits until all runs have ended, so that nothing changes in the
// background.
func (s *subjects) awaitRuns() {
	s.t.Helper()
	for range time.Tick(5 * time.Millisecond) {
		left := s.rows.column(s.t, `SELECT id FROM job UNION ALL SELECT id FROM workflow_run WHERE ended_at IS NULL`)
		if len(left) == 0 {
			return
		}
	}
}

func (s *subjects) number(name string) *int64 {
	var id int64
	_, err := fmt.Sscan(s.id(name), &id)
	check.OK(s.t, err)
	return &id
}
