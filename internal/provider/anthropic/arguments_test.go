package anthropic_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestAnthropicMessages(t *testing.T) {
	t.Parallel()
	conversation := pt.Chat(pt.Say("system", pt.Text("Be ")+","+pt.Text("kind.")) + "," + pt.Say("developer", pt.Text("Now.")) + "," +
		pt.Say("user", pt.Text("hi")) + "," + pt.Say("assistant", pt.Text("hello")))
	want := `{"messages":[{"role":"user","content":[{"type":"text","text":"hi"}]},
		{"role":"assistant","content":[{"type":"text","text":"hello"}]}],"system":"Be kind.\nNow.","model":"claude-4","max_tokens":9}`
	pt.Run(t, []pt.Case{
		{Name: "anthropic", Provider: "anthropic", Model: "claude-4", Template: conversation, Parameters: `{"max_tokens":9}`, Want: want},
		{Name: "on bedrock", Provider: "anthropic.bedrock", Model: "claude-4", Template: conversation, Parameters: `{"max_tokens":9}`, Want: want},
		{Name: "on vertex", Provider: "vertexai", Model: "claude-4", Template: conversation, Parameters: `{"max_tokens":9}`, Want: want},
		{
			Name: "an empty system and empty messages are omitted", Provider: "anthropic",
			Template: pt.Chat(pt.Say("system", pt.Text("")) + "," + pt.Say("user", "") + "," + pt.Say("assistant", `{"type":"thinking","thinking":"x"}`)),
			Want:     `{"messages":[],"max_tokens":4096}`,
		},
		{
			Name: "marks for caching stay on their block", Provider: "anthropic",
			Template: pt.Chat(pt.Say("system", pt.Text("a")+`,{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}`) + "," +
				pt.Say("user", `{"type":"text","text":"c","cache_control":{"type":"ephemeral","ttl":"1h"},"id":"1","annotations":[]}`)),
			Want: `{"messages":[{"role":"user","content":[{"type":"text","text":"c","cache_control":{"type":"ephemeral","ttl":"1h"}}]}],
				"system":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral"}}],"max_tokens":4096}`,
		},
		{
			Name: "files", Provider: "anthropic",
			Template: pt.Chat(pt.Say("user", `{"type":"image_url","image_url":{"url":"data:image/jpg;base64,AAAA"},"cache_control":{"type":"ephemeral"}},
				{"type":"image_url","image_url":{"url":"https://a.b/c"}},
				{"type":"media","media":{"title":"T","type":"application/pdf","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"title":"media","type":"application/pdf","url":"https://a.b/c","format":"url"},"citations":{"enabled":true}},
				{"type":"media","media":{"type":"text/csv","url":"w6ksMQ==","format":"base64"}},
				{"type":"media","media":{"type":"audio/wav","url":"AAAA","format":"base64"}}`)),
			Want: `{"messages":[{"role":"user","content":[
				{"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"AAAA"},"cache_control":{"type":"ephemeral"}},
				{"type":"image","source":{"type":"url","url":"https://a.b/c"}},
				{"type":"document","title":"T","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"}},
				{"type":"document","citations":{"enabled":true},"source":{"type":"url","url":"https://a.b/c"}},
				{"type":"document","source":{"type":"text","media_type":"text/plain","data":"é,1"}}]}],"max_tokens":4096}`,
		},
		{
			Name: "results in a row are one message", Provider: "anthropic",
			Template: pt.Chat(pt.WeatherCall + "," + pt.WeatherResult + `,{"role":"tool","tool_call_id":"call_2","is_error":true,"content":[]},` + pt.Say("user", pt.Text("so?"))),
			Want: `{"messages":[{"role":"assistant","content":[{"type":"text","text":"Let me look."},
				{"type":"tool_use","id":"call_1","name":"weather","input":{"city":"Oslo"}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"cold"}]},
				{"type":"tool_result","tool_use_id":"call_2","content":[],"is_error":true}]},
				{"role":"user","content":[{"type":"text","text":"so?"}]}],"max_tokens":4096}`,
		},
		{
			Name: "arguments that are not an object", Provider: "anthropic",
			Template: pt.Chat(`{"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":""}},
				{"id":"b","function":{"name":"f","arguments":"{oops"}},{"id":"c","function":{"name":"f","arguments":"[1]"}}],
				"function_call":{"name":"g","arguments":"{\"x\": 1.0}"}},{"role":"function","name":"g","content":"7"}`),
			Want: `{"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}},
				{"type":"tool_use","id":"b","name":"f","input":{"arguments":"{oops"}},
				{"type":"tool_use","id":"c","name":"f","input":{"arguments":"[1]"}},
				{"type":"tool_use","id":"g","name":"g","input":{"x": 1.0}}]},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"g","content":[{"type":"text","text":"7"}]}]}],"max_tokens":4096}`,
		},
		{
			Name: "what the provider's own tools did", Provider: "anthropic",
			Template: pt.Chat(pt.Say("assistant", `{"type":"thinking","thinking":"hm","signature":"s","id":null},
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
				{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u"}]},
				{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_result"}},
				{"type":"server_tool_use","id":"ws_1","name":"web_search","input":{}},
				{"type":"code","code":"1"},{"type":"output_media","url":"https://a.b/c"},{"type":"mcp_call","id":"m"}`)),
			Want: `{"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"s"},
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"q"}},
				{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"u"}]},
				{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_result"}}]}],"max_tokens":4096}`,
		},
		{
			Name: "placeholders stay as they are", Provider: "anthropic", Keep: true,
			Template: pt.Chat(pt.WeatherResult + `,{"role":"placeholder","name":"p"},` + pt.WeatherResult),
			Want: `{"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"cold"}]}]},
				{"role":"placeholder","name":"p"},
				{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":[{"type":"text","text":"cold"}]}]}],"max_tokens":4096}`,
		},
	})
}

func TestAnthropicTools(t *testing.T) {
	t.Parallel()
	function := `{"name":"weather","description":"Tells it","input_schema":` + pt.WeatherSchema + `}`
	choice := func(name, written, want string) pt.Case {
		return pt.Case{
			Name: name, Provider: "anthropic", Template: pt.Chat("", `,"tools":[`+pt.Weather+`],"tool_choice":`+written),
			Want: `{"messages":[],"tools":[` + function + `]` + want + `,"max_tokens":4096}`,
		}
	}
	pt.Run(t, []pt.Case{
		choice("choice auto", `"auto"`, `,"tool_choice":{"type":"auto"}`),
		choice("choice required", `"required"`, `,"tool_choice":{"type":"any"}`),
		choice("choice any", `"any"`, `,"tool_choice":{"type":"any"}`),
		choice("choice none", `"none"`, `,"tool_choice":{"type":"none"}`),
		choice("choice by a word", `"weather"`, `,"tool_choice":{"type":"tool","name":"weather"}`),
		choice("choice of a function", `{"type":"function","function":{"name":"weather"}}`, `,"tool_choice":{"type":"tool","name":"weather"}`),
		choice("choice in its own form", `{"type":"any"}`, `,"tool_choice":{"type":"any"}`),
		choice("choice of nothing", `null`, ``),
		choice("choice that makes no sense", `[]`, ``),
		{
			Name: "all kinds of tools", Provider: "anthropic",
			Template: pt.Chat("", `,"tools":[{"type":"function","cache_control":{"type":"ephemeral"},"function":{"name":"f"}},{"type":"function"},
				{"name":"g","input_schema":{"type":"object"}},{"type":"web_search","config":{"max_uses":2}},
				{"type":"web_search","config":{"type":"web_search_20260209"}},{"type":"bash","config":{}},{"type":"text_editor","config":{}},
				{"type":"code_interpreter","config":{}},{"type":"url_context","config":{}},{"type":"mcp","config":{"server_url":"u"}},
				{"type":"memory_20250818","name":"memory"}]`),
			Want: `{"messages":[],"tools":[{"name":"f","input_schema":{"type":"object","properties":{}},"cache_control":{"type":"ephemeral"}},
				{"name":"g","input_schema":{"type":"object"}},{"type":"web_search_20250305","name":"web_search","max_uses":2},
				{"type":"web_search_20260209","name":"web_search"},{"type":"bash_20250124","name":"bash"},
				{"type":"text_editor_20250728","name":"str_replace_based_edit_tool"},{"type":"code_execution_20250825","name":"code_execution"},
				{"type":"web_fetch_20250910","name":"web_fetch"},{"server_url":"u"},{"type":"memory_20250818","name":"memory"}],"max_tokens":4096}`,
		},
		{
			Name: "functions in the legacy format become tools", Provider: "anthropic",
			Template: pt.Chat("", `,"functions":[{"name":"f","description":""}],"function_call":{"name":"f"}`),
			Want: `{"messages":[],"tools":[{"name":"f","description":"","input_schema":{"type":"object","properties":{}}}],
				"tool_choice":{"type":"tool","name":"f"},"max_tokens":4096}`,
		},
		{
			Name: "the response format is part of the output's", Provider: "anthropic", Template: pt.Chat(""),
			Parameters: `{"output_config":{"effort":"low"}}`,
			Overrides:  `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}`,
			Want:       `{"messages":[],"output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}},"max_tokens":4096}`,
		},
		{
			Name: "other response formats are not known", Provider: "anthropic", Template: pt.Chat(""),
			Parameters: `{"response_format":{"type":"json_object"},"top_k":3}`,
			Want:       `{"messages":[],"top_k":3,"max_tokens":4096}`,
		},
	})
}
