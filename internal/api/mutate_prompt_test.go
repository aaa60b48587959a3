package api_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/access"
	"github.com/promptuary/promptuary/internal/check"
	"github.com/promptuary/promptuary/internal/entity"
)

// richTemplate is a chat with all members.
const richTemplate = `{"type": "chat", "input_variables": ["a"], "tools": [{"type": "function", "function": {"name": "f", "description": "d", "strict": true, "parameters": {"type": "object"}}},
		{"type": "variable", "name": "more"}, {"type": "registry", "tool_registry_id": 1, "label": "l", "version_number": 1}, {"type": "web_search", "config": {}}],
	"functions": [{"name": "f"}], "tool_choice": {"type": "function", "function": {"name": "f"}}, "function_call": {"name": "f"}, "dataset_examples": [{}], "messages": [
	{"role": "system", "content": [{"type": "text", "text": "{a} @@@tone@@@", "annotations": [{"type": "url_citation", "title": "t", "url": "u", "start_index": 0, "end_index": 1}]}], "name": "n", "input_variables": ["a"], "template_format": "jinja2"},
	{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "u", "detail": "d"}, "image_variable": "v"}, {"type": "media", "media": {"title": "t", "type": "y", "url": "u", "format": "url"}},
		{"type": "media_variable", "name": "v"}, {"type": "web_search_tool_result", "tool_use_id": "i", "content": [{"type": "web_search_result"}]}]},
	{"role": "assistant", "content": [], "tool_calls": [{"id": "1", "type": "function", "function": {"name": "g", "arguments": "{}"}, "tool_id": "x", "provider_metadata": {}}], "function_call": {"name": "h", "arguments": "{}"}},
	{"role": "tool", "content": [{"type": "text", "text": "{r}"}], "tool_call_id": "1"}, {"role": "placeholder", "name": "p"}]}`

const richPublication = `{
	"prompt_template": {"prompt_name": "rich", "tags": ["t"], "folder_id": 910010, "workspace_id": 1, "is_snippet": true},
	"prompt_version": {"prompt_template": ` + richTemplate + `, "commit_message": "m", "provider_base_url_name": "p", "provider_id": 1, "inference_client_name": "c", "report_id": 1,
		"metadata": {"model": {"provider": "openai", "name": "m", "model_config_display_name": "d", "base_model": "b", "parameters": {"response_format": {"type": "json_schema", "x": "{{ a }}"}}, "display_params": {}, "api_type": "responses"}, "k": [1]}},
	"release_labels": ["prod"], "external_ids": [{"source": "s", "external_id": "e"}], "snippet_overrides": {"tone": "x"}}`

// TestMutatedPromptBodies replaces each member of valid bodies with values of
// every type. Each response must be documented, and rejected requests must
// add no version and move no label.
func TestMutatedPromptBodies(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, request, body string }{
		{"publish", "POST /rest/prompt-templates", richPublication},
		{"upsert", "PUT /prompt-templates/by-external-id/s/e", `{"prompt_template": {"prompt_name": "rich", "tags": ["t"], "folder_id": 910010}, "prompt_version": {"prompt_template": {"type": "chat", "messages": []}},
			"release_labels": ["prod"], "external_ids": [{"source": "s", "external_id": "f"}]}`},
		{"patch", "PATCH /rest/prompt-templates/rich", `{"version": 1, "messages": {"0": {"role": "user", "content": [{"type": "text", "text": "{b}"}]}}, "tools": [{"type": "function", "function": {"name": "f"}}],
			"functions": {"0": {"name": "f"}}, "function_call": "auto", "tool_choice": {"type": "function"}, "model_parameters": {"a": 1}, "response_format": {"type": "x"}, "commit_message": "m", "release_labels": ["prod"]}`},
		{"run", "POST /prompt-templates/rich", `{"version": 1, "label": "prod", "workspace_id": 1, "provider": "anthropic", "model": "m", "metadata_filters": {"a": "b"}, "model_parameter_overrides": {"max_tokens": 1, "response_format": {}},
			"skip_input_variable_rendering": false, "input_variables": {"a": "x", "v": ["https://x.test/a"], "r": {"n": [1]}, "more": [{"name": "g", "parameters": {}}], "p": [{"role": "user", "content": [{"type": "text", "text": "t"}]}, {"role": "user", "content": "x"}]}}`},
		{"run for Google", "POST /prompt-templates/rich", `{"provider": "google", "input_variables": {"p": [{"role": "assistant", "content": [], "tool_calls": [{"id": "1", "function": {"name": "g", "arguments": "{}"}}]}], "more": [{"name": "g", "input_schema": {}}]}}`},
		{"run for Bedrock", "POST /prompt-templates/rich", `{"provider": "amazon.bedrock", "model_parameter_overrides": {"temperature": 1, "stop": ["x"]}, "input_variables": {"p": [{"role": "tool", "tool_call_id": "1", "content": [{"type": "text", "text": "t"}]}]}}`},
		{"label", "POST /prompts/910001/label", `{"name": "prod", "prompt_version_number": 1, "prompt_version_id": 910002}`},
		{"move a label", "PATCH /prompt-labels/1", `{"prompt_version_number": 1, "prompt_version_id": 910002}`},
		{"attach", "POST /prompt-templates/910001/external-ids", `{"source": "s", "external_id": "i"}`},
		{"test", "POST /api/public/v2/ab-tests", `{"name": "n", "prompt_id": 910001, "release_label": "nobody", "folder_id": 910010, "weights": [{"version_number": 1, "weight": 100}], "segments": [{"name": "s", "match": {"k": ["v"]}, "weights": [{"version_number": 2, "weight": 100}]}]}`},
		{"publish a text", "POST /rest/publish-prompt-template", `{"prompt_name": "n", "prompt_template": {"template": "{x}", "input_variables": ["x"]}, "tags": ["t"], "api_key": "k"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, settings{})
			w.post(t, http.StatusCreated, "/rest/prompt-templates", promptBody(t, "tone", "f-string", "{mood}"))
			w.post(t, http.StatusCreated, "/rest/prompt-templates", richPublication)
			method, path, _ := strings.Cut(tt.request, " ")
			m := promptMutation{t: t, world: w, document: newDocument(t, w), method: method, path: path}
			var body any
			check.OK(t, json.Unmarshal([]byte(tt.body), &body))
			m.send(body, "unchanged")
			if m.refused > 0 && tt.name != "test" {
				t.Fatal("the unchanged body is refused")
			}
			everyChange(body, func(changed any) any { return changed }, "body", m.send)
			if m.refused == 0 {
				t.Error("nothing was refused")
			}
		})
	}
}

type promptMutation struct {
	t            *testing.T
	world        *world
	document     *document
	method, path string
	refused      int
	last         string // the state, "" when it has to be asked for
}

// state is what rejected requests must not change: the templates, the number
// of their versions, and the labels.
func (m *promptMutation) state() string {
	m.t.Helper()
	ctx, c := access.AsSystem(context.Background()), m.world.catalog
	entities, _, err := c.Entities.ListEntities(ctx, entity.Query{WorkspaceID: home, Status: entity.LiveOrDeleted, Page: entity.Page{Limit: 1000}})
	check.OK(m.t, err)
	var ids []int64
	for _, e := range entities {
		ids = append(ids, e.ID)
	}
	labels, err := c.Entities.LabelsByEntity(ctx, home, ids)
	check.OK(m.t, err)
	attached, err := c.Entities.ExternalIDsByEntity(ctx, home, ids)
	check.OK(m.t, err)
	return toJSON(m.t, []any{entities, labels, attached})
}

func (m *promptMutation) send(body any, what string) {
	m.t.Helper()
	if m.last == "" {
		m.last = m.state()
	}
	got, err := m.world.send("home", m.method, m.path, []byte(toJSON(m.t, body)))
	check.OK(m.t, err)
	if got.status >= http.StatusInternalServerError {
		m.t.Errorf("%s is answered with %d %s", what, got.status, got.body)
		return
	}
	m.document.checkAnswer(m.t, m.method, m.path, got)
	if got.status < http.StatusBadRequest {
		m.last = ""
		return
	}
	m.refused++
	if after := m.state(); after != m.last {
		m.t.Errorf("%s is refused and yet changed something:\n%s\n%s", what, clip(m.last), clip(after))
	}
}
