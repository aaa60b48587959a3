package anthropic_test

import (
	"testing"

	"github.com/anthropics/anthropic-sdk-go"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestAnthropicClientAcceptsPayloads(t *testing.T) {
	t.Parallel()
	parameters := `{"max_tokens":100,"temperature":0.5,"thinking":{"type":"enabled","budget_tokens":50}}`
	tools := pt.Chat(pt.Say("user", pt.Text("hi")), `,"tools":[{"type":"web_search","config":{}},{"type":"url_context","config":{}},
		{"type":"bash","config":{}},{"type":"text_editor","config":{}},{"type":"code_interpreter","config":{}}],"tool_choice":"any"`)
	search := pt.Chat(pt.Say("user", pt.Text("hi")), `,"tools":[{"type":"web_search","config":{"max_uses":2,"allowed_domains":["a.b"]}}]`)
	own := pt.Chat(pt.Say("system", `{"type":"text","text":"x","cache_control":{"type":"ephemeral"}}`) + "," + pt.Say("assistant",
		`{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
		{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u","title":"t","encrypted_content":"e"}]},
		{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_result","stdout":"x","stderr":"","return_code":0,"content":[]}},
		{"type":"text_editor_code_execution_tool_result","tool_use_id":"srvtoolu_3","content":{"type":"text_editor_code_execution_create_result","is_file_update":true}}`) +
		"," + pt.Say("user", `{"type":"media","media":{"type":"text/plain","url":"aGk=","format":"base64"},"cache_control":{"type":"ephemeral"}},
		{"type":"media","media":{"type":"application/pdf","url":"https://a.b/c","format":"url"}},{"type":"image_url","image_url":{"url":"https://a.b/c"}}`))
	for _, c := range []struct {
		pt.Case
		parts []pt.Apart
	}{
		{pt.Case{Name: "a conversation", Template: pt.Rich(`{"type":"thinking","thinking":"hm","signature":"s"},`, ""),
			Overrides: `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}`}, nil},
		{pt.Case{Name: "tools", Template: tools}, nil},
		{pt.Case{Name: "a search", Template: search}, []pt.Apart{{Path: "tools", Params: new([]anthropic.WebSearchTool20250305Param)}}},
		{pt.Case{Name: "the provider's own tools", Template: own}, []pt.Apart{
			{Path: "messages.0.content.2.content", Params: new(anthropic.BashCodeExecutionResultBlockParam)},
			{Path: "messages.0.content.3.content", Params: new(anthropic.TextEditorCodeExecutionCreateResultBlockParam)},
		}},
	} {
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			c.Provider, c.Model, c.Parameters = "anthropic", "claude-4", parameters
			payload := pt.Decode(t, c.Build(t)).(map[string]any)
			// The service and other clients accept a string for system; this
			// client only supports the equivalent list.
			if system, ok := payload["system"].(string); ok {
				payload["system"] = []any{map[string]any{"type": "text", "text": system}}
			}
			pt.EachRoundTrips(t, payload, new(anthropic.MessageNewParams), c.parts)
		})
	}
	t.Run("completion", func(t *testing.T) {
		t.Parallel()
		c := pt.Case{Provider: "anthropic", Model: "claude-2", Template: pt.Hello, Overrides: `{"max_tokens":5}`}
		pt.RoundTrips(t, pt.Decode(t, c.Build(t)), new(anthropic.CompletionNewParams))
	})
}
