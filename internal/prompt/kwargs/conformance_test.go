package kwargs

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/google/go-cmp/cmp"
	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"
)

// The tests in the conformance files hold payloads against the providers' own
// Go clients: what a client reads into its types and would send must be what
// the payload says. The conversations are as rich as each interface allows.

// roundTrips checks that reading a payload into params and writing them again
// changes nothing.
func roundTrips(t *testing.T, payload any, params any) {
	t.Helper()
	text, err := json.Marshal(payload)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, params); err != nil {
		t.Fatalf("the client cannot read %s: %v", text, err)
	}
	sent, err := json.Marshal(params)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(payload, decode(t, sent)); diff != "" {
		t.Errorf("(-payload +sent by the client):\n%s", diff)
	}
}

// cut takes the value at a path, whose steps are keys and indexes, out of a
// payload.
func cut(t *testing.T, payload any, path string) any {
	t.Helper()
	step, rest, deeper := strings.Cut(path, ".")
	switch parent := payload.(type) {
	case map[string]any:
		if deeper {
			return cut(t, parent[step], rest)
		}
		found := parent[step]
		delete(parent, step)
		return found
	case []any:
		if i, err := strconv.Atoi(step); err == nil && deeper && i < len(parent) {
			return cut(t, parent[i], rest)
		}
	}
	t.Fatalf("no %s in %v", path, payload)
	return nil
}

// apart is a part of a payload that a client reads wrongly in its place,
// because it cannot tell the alternatives there from each other, with the
// type that the part is meant for.
type apart struct {
	path   string
	params any
}

// eachRoundTrips is roundTrips for the parts and for what is left.
func eachRoundTrips(t *testing.T, payload any, params any, parts []apart) {
	t.Helper()
	for _, part := range parts {
		roundTrips(t, cut(t, payload, part.path), part.params)
	}
	roundTrips(t, payload, params)
}

// forOpenAI allows for what the client does not read although the service
// takes it: messages of the responses without their type, which can be left
// out, and a silent assistant's null, which stands for nothing.
func forOpenAI(payload map[string]any) {
	list, _ := payload["input"].([]any)
	for _, v := range list {
		if item := v.(map[string]any); item["role"] != nil {
			item["type"] = "message"
		}
	}
	list, _ = payload["messages"].([]any)
	for _, v := range list {
		if message := v.(map[string]any); message["content"] == nil {
			delete(message, "content")
		}
	}
}

func TestOpenAIClientTakesPayloads(t *testing.T) {
	t.Parallel()
	everyTool := chatOf(say("user", text("hi")), `,"tools":[{"type":"web_search","config":{"search_context_size":"low"}},
		{"type":"file_search","config":{"vector_store_ids":["vs_1"]}},{"type":"code_interpreter","config":{}},
		{"type":"image_generation","config":{"quality":"low"}},{"type":"mcp","config":{"server_label":"d","server_url":"https://a.b"}},
		{"type":"shell","config":{}},{"type":"apply_patch","config":{}}],"tool_choice":"required"`)
	items := chatOf(say("assistant", `{"type":"thinking","thinking":"one","id":"rs_1","encrypted_content":"e"},{"type":"thinking","thinking":"two","id":"rs_1"},
		{"type":"server_tool_use","id":"ws_1","name":"web_search","input":{"type":"search","query":"q","queries":["q"]}},
		{"type":"server_tool_use","id":"fs_1","name":"file_search","input":{"queries":["q"]}},
		{"type":"code","code":"1","id":"ci_1","container_id":"c","outputs":[{"type":"logs","logs":"1"}]},
		{"type":"mcp_list_tools","id":"mcpl_1","server_label":"s","tools":[{"name":"n","input_schema":{"type":"object"}}]},
		{"type":"mcp_approval_request","id":"mcpr_1","name":"n","arguments":"{}","server_label":"s"},
		{"type":"mcp_call","id":"mcp_1","name":"n","server_label":"s","arguments":"{}","output":"o"},
		{"type":"shell_call","id":"sh_1","call_id":"c1","action":{"commands":["ls"]},"status":"completed"},
		{"type":"apply_patch_call","id":"ap_1","call_id":"c2","operation":{"type":"delete_file","path":"x"},"status":"completed"},
		{"type":"output_media","id":"ig_1","url":"data:image/png;base64,AAAA"}`) + "," +
		`{"role":"tool","tool_call_id":"c1","content":[{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"x","stderr":"","outcome":{"type":"exit","exit_code":0}}]}]},` +
		`{"role":"tool","tool_call_id":"c2","content":[{"type":"apply_patch_call_output","call_id":"c2","output":"done","status":"completed"}]},` +
		say("user", `{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}`))
	parameters := `{"temperature":0.5,"top_p":1,"parallel_tool_calls":false}`
	format := `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}}}`
	for _, c := range []struct {
		builds
		params any
		parts  []apart
	}{
		{builds{name: "chat", template: rich("", ""), parameters: parameters, overrides: format}, new(openai.ChatCompletionNewParams),
			[]apart{{"tool_choice", new(openai.ChatCompletionNamedToolChoiceParam)}}},
		{builds{name: "chat with functions of the old kind", template: chatOf(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},
			{"role":"function","name":"f","content":"7"}`, `,"functions":[{"name":"f","description":"d","parameters":{"type":"object"}}],"function_call":{"name":"f"}`)},
			new(openai.ChatCompletionNewParams), nil},
		{builds{name: "completion", template: hello, overrides: `{"max_output_tokens":5}`}, new(openai.CompletionNewParams), nil},
		{builds{name: "images", api: "images", template: hello, parameters: `{"size":"1024x1024","n":1}`}, new(openai.ImageGenerateParams), nil},
		{builds{name: "responses", api: "responses", template: rich("", ""), parameters: parameters, overrides: format}, new(responses.ResponseNewParams),
			[]apart{{"tool_choice", new(responses.ToolChoiceFunctionParam)}}},
		{builds{name: "responses with tools", api: "responses", template: everyTool}, new(responses.ResponseNewParams), nil},
		{builds{name: "responses with items", api: "responses", template: items}, new(responses.ResponseNewParams), nil},
		{builds{name: "responses of a completion", api: "responses", template: hello}, new(responses.ResponseNewParams), nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.provider, c.model = "openai", "gpt-5"
			payload := decode(t, Build(c.input(t))).(map[string]any)
			forOpenAI(payload)
			eachRoundTrips(t, payload, c.params, c.parts)
		})
	}
}

func TestAnthropicClientTakesPayloads(t *testing.T) {
	t.Parallel()
	parameters := `{"max_tokens":100,"temperature":0.5,"thinking":{"type":"enabled","budget_tokens":50}}`
	tools := chatOf(say("user", text("hi")), `,"tools":[{"type":"web_search","config":{}},{"type":"url_context","config":{}},
		{"type":"bash","config":{}},{"type":"text_editor","config":{}},{"type":"code_interpreter","config":{}}],"tool_choice":"any"`)
	search := chatOf(say("user", text("hi")), `,"tools":[{"type":"web_search","config":{"max_uses":2,"allowed_domains":["a.b"]}}]`)
	own := chatOf(say("system", `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`) + "," + say("assistant",
		`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
		{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"e"}]},
		{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_result","stdout":"x","stderr":"","return_code":0,"content":[]}},
		{"type":"text_editor_code_execution_tool_result","tool_use_id":"srvtoolu_3","content":{"type":"text_editor_code_execution_create_result","is_file_update":true}}`) +
		"," + say("user", `{"type":"media","media":{"type":"text/plain","url":"aGk=","format":"base64"},"cache_control":{"type":"ephemeral"}},
		{"type":"media","media":{"type":"application/pdf","url":"https://a.b/c","format":"url"}},{"type":"image_url","image_url":{"url":"https://a.b/c"}}`))
	for _, c := range []struct {
		builds
		parts []apart
	}{
		{builds{name: "a conversation", template: rich(`{"type":"thinking","thinking":"hm","signature":"s"},`, ""),
			overrides: `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}`}, nil},
		{builds{name: "tools", template: tools}, nil},
		{builds{name: "a search", template: search}, []apart{{"tools", new([]anthropic.WebSearchTool20250305Param)}}},
		{builds{name: "the provider's own tools", template: own}, []apart{
			{"messages.0.content.2.content", new(anthropic.BashCodeExecutionResultBlockParam)},
			{"messages.0.content.3.content", new(anthropic.TextEditorCodeExecutionCreateResultBlockParam)},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.provider, c.model, c.parameters = "anthropic", "claude-4", parameters
			payload := decode(t, Build(c.input(t))).(map[string]any)
			// The service and the other clients take a string for the system,
			// this client knows only the list that it stands for.
			if system, ok := payload["system"].(string); ok {
				payload["system"] = []any{map[string]any{"type": "text", "text": system}}
			}
			eachRoundTrips(t, payload, new(anthropic.MessageNewParams), c.parts)
		})
	}
	t.Run("completion", func(t *testing.T) {
		t.Parallel()
		c := builds{provider: "anthropic", model: "claude-2", template: hello, overrides: `{"max_tokens":5}`}
		roundTrips(t, decode(t, Build(c.input(t))), new(anthropic.CompletionNewParams))
	})
}
