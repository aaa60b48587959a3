package openai_test

import (
	"testing"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/responses"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

// forOpenAI removes differences that the service accepts but the client does
// not: the optional type of messages in the Responses API, and the null content
// of an assistant.
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

func TestOpenAIClientAcceptsPayloads(t *testing.T) {
	t.Parallel()
	everyTool := pt.Chat(pt.Say("user", pt.Text("hi")), `,"tools":[{"type":"web_search","config":{"search_context_size":"low"}},
		{"type":"file_search","config":{"vector_store_ids":["vs_1"]}},{"type":"code_interpreter","config":{}},
		{"type":"image_generation","config":{"quality":"low"}},{"type":"mcp","config":{"server_label":"d","server_url":"https://a.b"}},
		{"type":"shell","config":{}},{"type":"apply_patch","config":{}}],"tool_choice":"required"`)
	items := pt.Chat(pt.Say("assistant", `{"type":"thinking","thinking":"one","id":"rs_1","encrypted_content":"e"},{"type":"thinking","thinking":"two","id":"rs_1"},
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
		pt.Say("user", `{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":true}`))
	parameters := `{"temperature":0.5,"top_p":1,"parallel_tool_calls":false}`
	format := `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}}}`
	for _, c := range []struct {
		pt.Case
		params any
		parts  []pt.Apart
	}{
		{pt.Case{Name: "chat", Template: pt.Rich("", ""), Parameters: parameters, Overrides: format}, new(openai.ChatCompletionNewParams),
			[]pt.Apart{{Path: "tool_choice", Params: new(openai.ChatCompletionNamedToolChoiceParam)}}},
		{pt.Case{Name: "chat with legacy functions", Template: pt.Chat(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},
			{"role":"function","name":"f","content":"7"}`, `,"functions":[{"name":"f","description":"d","parameters":{"type":"object"}}],"function_call":{"name":"f"}`)},
			new(openai.ChatCompletionNewParams), nil},
		{pt.Case{Name: "completion", Template: pt.Hello, Overrides: `{"max_output_tokens":5}`}, new(openai.CompletionNewParams), nil},
		{pt.Case{Name: "images", API: "images", Template: pt.Hello, Parameters: `{"size":"1024x1024","n":1}`}, new(openai.ImageGenerateParams), nil},
		{pt.Case{Name: "responses", API: "responses", Template: pt.Rich("", ""), Parameters: parameters, Overrides: format}, new(responses.ResponseNewParams),
			[]pt.Apart{{Path: "tool_choice", Params: new(responses.ToolChoiceFunctionParam)}}},
		{pt.Case{Name: "responses with tools", API: "responses", Template: everyTool}, new(responses.ResponseNewParams), nil},
		{pt.Case{Name: "responses with items", API: "responses", Template: items}, new(responses.ResponseNewParams), nil},
		{pt.Case{Name: "responses of a completion", API: "responses", Template: pt.Hello}, new(responses.ResponseNewParams), nil},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Provider, c.Model = "openai", "gpt-5"
			payload := pt.Decode(t, c.Build(t)).(map[string]any)
			forOpenAI(payload)
			pt.EachRoundTrips(t, payload, c.params, c.parts)
		})
	}
}
