package api_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/promptuary/promptuary/internal/catalog"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/envvar"
	sandbox "github.com/promptuary/promptuary/internal/script"
	"github.com/promptuary/promptuary/internal/tool"
)

func TestMain(m *testing.M) {
	if sandbox.IsWorker() {
		sandbox.WorkerMain()
	}
	os.Exit(m.Run())
}

// newTools returns the tool service, with a sandbox for JavaScript.
func newTools(t *testing.T, c *catalog.Catalog, variables *envvar.Service, now *check.Clock) *tool.Service {
	t.Helper()
	runner := sandbox.New(sandbox.Options{Limits: sandbox.Limits{Time: 30 * time.Second}})
	t.Cleanup(runner.Close)
	return tool.NewService(tool.Options{Store: c.Entities, Environment: variables, Scripts: runner, Clock: now.Now})
}

// richTool is a tool with all members.
const richTool = `{"name": "rich", "description": "d", "folder_id": 910010, "commit_message": "m", "release_labels": ["prod"], "external_ids": [{"source": "s", "external_id": "e"}],
	"tool_definition": {"type": "function", "function": {"name": "f", "parameters": {"type": "object"}}},
	"execution": {"type": "code", "language": "javascript", "code": "return args"}, "response_schema": {"type": "object"}}`

// TestMutatedToolBodies replaces each member of valid bodies with values of
// every type. Each response must be documented, and rejected requests must
// change nothing.
func TestMutatedToolBodies(t *testing.T) {
	t.Parallel()
	const version = `{"commit_message": "m", "release_labels": ["prod"], "tool_definition": {"function": {"name": "g"}},
		"execution": {"type": "code", "language": "javascript", "code": "return 1"}, "response_schema": {"a": [1]}}`
	tests := []struct{ name, path, body string }{
		{"create", toolsPath, richTool},
		{"version", toolsPath + "/rich/versions", version},
		{"trial", toolsPath + "/rich/test-execute", `{"inputs": {"a": 1}, "tool_definition": {"function": {"name": "g"}}, "execution": {"type": "code", "language": "javascript", "code": "return 1"}}`},
		{"attach", toolsPath + "/910014/external-ids", `{"source": "s", "external_id": "i"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.post(t, http.StatusCreated, toolsPath, strings.Replace(richTool, `"e"`, `"first"`, 1))
			m := promptMutation{t: t, world: w, document: newDocument(t, w), method: http.MethodPost, path: tt.path}
			var body any
			check.OK(t, json.Unmarshal([]byte(tt.body), &body))
			if tt.name == "create" { // the first that succeeds takes the name
				body.(map[string]any)["name"] = "another"
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

// TestHostileTools sends unusual definitions. Each is stored as is or
// rejected, and none breaks the prompts that refer to it.
func TestHostileTools(t *testing.T) {
	t.Parallel()
	w := newWorld(t, settings{})
	deep := func(n int) string { return strings.Repeat(`{"k":`, n) + `1` + strings.Repeat(`}`, n) }
	long := `{` + strings.Repeat(`"k":1,`, 100_000) + `"k":1}`
	tests := map[string]struct {
		definition string
		status     int
	}{
		"nothing":                {`{}`, http.StatusCreated},
		"a reference":            {`{"type":"registry","tool_registry_id":910014}`, http.StatusCreated},
		"a variable":             {`{"type":"variable","name":"city"}`, http.StatusCreated},
		"a function that is not": {`{"type":"function","function":[{"name":"f"}]}`, http.StatusCreated},
		"a name that is not":     {`{"type":"function","function":{"name":{"a":1},"parameters":7}}`, http.StatusCreated},
		"a template":             {`{"type":"function","function":{"name":"{{ city }}{% for","description":"@@@welcome@@@ {city}"}}`, http.StatusCreated},
		"as deep as can be":      {deep(199), http.StatusCreated},
		"deeper":                 {deep(200), http.StatusBadRequest},
		"many equal members":     {long, http.StatusCreated},
		"too large":              {`{"k":"` + strings.Repeat("x", 1<<20) + `"}`, http.StatusBadRequest},
		"an array":               {`[]`, http.StatusUnprocessableEntity},
		"null":                   {`null`, http.StatusUnprocessableEntity},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			body := fmt.Sprintf(`{"name":%q,"tool_definition":%s}`, name, tt.definition)
			got, err := w.send("home", http.MethodPost, toolsPath, []byte(body))
			check.OK(t, err)
			if got.status != tt.status {
				t.Fatalf("status = %d %s, want %d", got.status, clip(string(got.body)), tt.status)
			}
			if tt.status != http.StatusCreated {
				return
			}
			if !strings.Contains(string(got.body), `"tool_definition":`+tt.definition) {
				t.Errorf("the definition was changed: %s", clip(string(got.body)))
			}
			made, err := got.object()
			check.OK(t, err)
			id := int64(made["tool_registry"].(map[string]any)["id"].(float64))
			w.post(t, http.StatusCreated, "/rest/prompt-templates", fmt.Sprintf(`{"prompt_template":{"prompt_name":%q},"prompt_version":{"prompt_template":{"type":"chat","messages":[
				{"role":"user","content":[{"type":"text","text":"Hi"}]}],"tools":[{"type":"registry","tool_registry_id":%d}]},"metadata":{"model":{"provider":"openai","name":"m"}}}}`, name, id))
			run := w.post(t, http.StatusOK, "/prompt-templates/"+strings.ReplaceAll(name, " ", "%20"), `{"input_variables":{"city":"Rome"}}`)
			messages := run["llm_kwargs"].(map[string]any)["messages"].([]any)
			if len(messages) != 1 {
				t.Errorf("the prompt has %d messages", len(messages))
			}
		})
	}
}
