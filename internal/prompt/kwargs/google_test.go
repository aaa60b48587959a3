package kwargs

import "testing"

func TestGoogle(t *testing.T) {
	t.Parallel()
	conversation := chatOf(say("system", text("Be")+","+text("kind")) + "," + say("user", text("hi")) + "," + say("assistant", text("hello")))
	want := `{"history":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"hello"}]}],
		"generation_config":{"system_instruction":{"parts":[{"text":"Be"},{"text":"kind"}]},"temperature":0.50,"topK":3},"model":"gemini-3"}`
	parameters := `{"temperature":0.50,"topK":3}`
	runBuilds(t, []builds{
		{name: "google", provider: "google", model: "gemini-3", template: conversation, parameters: parameters, want: want},
		{name: "on vertex", provider: "vertexai", model: "gemini-3", template: conversation, parameters: parameters, want: want},
		{
			name: "a completion", provider: "google", template: hello,
			want: `{"contents":[{"role":"user","parts":[{"text":"Hello, "},{"text":"you"}]}],"generation_config":{}}`,
		},
		{
			name: "settings in a config of their own, in either spelling", provider: "google", model: "a", template: chatOf(say("system", text("x"))),
			parameters: `{"generation_config":{"topP":1,"maxOutputTokens":5},"systemInstruction":"y","model":"b","stream":false}`,
			overrides:  `{"top_p":0.5,"generationConfig":{"max_tokens":6}}`,
			want:       `{"history":[],"generation_config":{"top_p":0.5,"max_output_tokens":6,"systemInstruction":"y"},"model":"b","stream":false}`,
		},
		{
			name: "a config that is none", provider: "google", template: chatOf(""), parameters: `{"generation_config":null}`,
			want: `{"history":[],"generation_config":{}}`,
		},
		{
			name: "files and what else a part can be", provider: "google",
			template: chatOf(say("user", `{"type":"image_url","image_url":{"url":"data:image/png;base64,AA__"}},
				{"type":"image_url","image_url":{"url":"https://a.b/c.webp?x=1"}},{"type":"media","media":{"type":"audio/wav","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"application/pdf","url":"gs://b/o","format":"url"}}`) + "," +
				say("assistant", `{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"a","thought_signature":"c2ln"},
				{"type":"code","code":"1+1","language":"PYTHON"},{"type":"code_execution_result","output":"2"},
				{"type":"output_media","url":"AAAAAAAAAAAAAAAA","provider_metadata":{"thought_signature":"c2ln"},"mime_type":"image/png"},
				{"type":"output_media","url":"data:image/png;base64,AAAA","provider_metadata":{"thought_signature":"c2ln"}},{"type":"mcp_call"}`)),
			want: `{"history":[{"role":"user","parts":[{"inline_data":{"data":"AA//","mime_type":"image/png"}},
				{"file_data":{"file_uri":"https://a.b/c.webp?x=1","mime_type":"image/webp"}},{"inline_data":{"data":"AAAA","mime_type":"audio/wav"}},
				{"file_data":{"file_uri":"gs://b/o","mime_type":"application/pdf"}}]},
				{"role":"model","parts":[{"text":"hm","thought":true,"thought_signature":"c2ln"},{"text":"a","thought_signature":"c2ln"},
				{"executable_code":{"code":"1+1","language":"PYTHON"}},{"code_execution_result":{"output":"2","outcome":"OUTCOME_OK"}},
				{"inline_data":{"data":"AAAAAAAAAAAAAAAA","mime_type":"image/png"},"thought_signature":"c2ln"},
				{"inline_data":{"data":"AAAA","mime_type":"image/png"},"thought_signature":"c2ln"}]}],"generation_config":{}}`,
		},
		{
			name: "calls and results, which are objects and known by name", provider: "google",
			template: chatOf(weatherCall + `,{"role":"assistant","tool_calls":[{"id":"f","function":{"name":"f","arguments":"{}"},"provider_metadata":{"thought_signature":"c2ln"}}]},` +
				weatherResult + `,{"role":"tool","tool_call_id":"f","name":"f","content":[` + text(` {\"a\": 1}`) + `]},
				{"role":"tool","tool_call_id":"lost","content":[` + text(`{oops`) + `]}`),
			want: `{"history":[{"role":"model","parts":[{"text":"Let me look."},{"function_call":{"id":"call_1","name":"weather","args":{"city":"Oslo"}}}]},
				{"role":"model","parts":[{"function_call":{"name":"f","args":{}},"thought_signature":"c2ln"}]},
				{"role":"user","parts":[{"function_response":{"id":"call_1","name":"weather","response":{"result":"cold"}}},
				{"function_response":{"name":"f","response":{"a": 1}}},{"function_response":{"name":"lost","response":{"result":"{oops"}}}]}],
				"generation_config":{}}`,
		},
		{
			name: "vertex knows no ids", provider: "vertexai", model: "gemini-3", template: chatOf(weatherCall + "," + weatherResult),
			want: `{"history":[{"role":"model","parts":[{"text":"Let me look."},{"function_call":{"name":"weather","args":{"city":"Oslo"}}}]},
				{"role":"user","parts":[{"function_response":{"name":"weather","response":{"result":"cold"}}}]}],"generation_config":{},"model":"gemini-3"}`,
		},
		{
			name: "placeholders stay as they are", provider: "google", keep: true,
			template: chatOf(`{"role":"placeholder","name":"p"}`, `,"tools":[{"type":"variable","name":"t"}]`),
			want:     `{"history":[{"role":"placeholder","name":"p"}],"generation_config":{"tools":[{"type":"variable","name":"t"}]}}`,
		},
		{
			name: "the response format is two settings", provider: "google", template: chatOf(""),
			parameters: `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}`,
			want:       `{"history":[],"generation_config":{"response_mime_type":"application/json","response_schema":{"type":"object"}}}`,
		},
		{
			name: "stored settings win over the response format", provider: "google", template: chatOf(""),
			parameters: `{"responseMimeType":"text/x.enum","response_format":{"type":"json_object"}}`,
			want:       `{"history":[],"generation_config":{"responseMimeType":"text/x.enum"}}`,
		},
	})
}

func TestGoogleTools(t *testing.T) {
	t.Parallel()
	declared := `{"function_declarations":[{"name":"weather","description":"Tells it","parameters":` + weatherSchema + `}]}`
	choice := func(written, want string) builds {
		return builds{
			name: "choice " + written, provider: "google", template: chatOf("", `,"tools":[`+weather+`],"tool_choice":`+written),
			want: `{"history":[],"generation_config":{"tools":[` + declared + `]` + want + `}}`,
		}
	}
	runBuilds(t, []builds{
		choice(`"auto"`, `,"tool_config":{"function_calling_config":{"mode":"AUTO"}}`),
		choice(`"none"`, `,"tool_config":{"function_calling_config":{"mode":"NONE"}}`),
		choice(`"required"`, `,"tool_config":{"function_calling_config":{"mode":"ANY"}}`),
		choice(`{"type":"function","function":{"name":"weather"}}`,
			`,"tool_config":{"function_calling_config":{"mode":"ANY","allowed_function_names":["weather"]}}`),
		choice(`{"type":"allowed_tools"}`, ``),
		{
			name: "a function without parameters", provider: "google",
			template: chatOf("", `,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]`),
			want:     `{"history":[],"generation_config":{"tools":[{"function_declarations":[{"name":"f"}]}]}}`,
		},
		{
			name: "all kinds of tools", provider: "google",
			template: chatOf("", `,"tools":[{"type":"web_search","config":{}},`+weather+`,{"type":"google_maps","config":{"enable_widget":true}},
				{"type":"url_context","config":{"url_context":{}}},{"type":"code_interpreter","config":{}},{"type":"bash","config":{"x":1}},
				{"type":"enterprise_web_search","enterprise_web_search":{}},{"type":"acme"}]`),
			want: `{"history":[],"generation_config":{"tools":[` + declared + `,{"google_search":{}},{"google_maps":{"enable_widget":true}},
				{"url_context":{}},{"code_execution":{}},{"x":1},{"enterprise_web_search":{}},{"type":"acme"}]}}`,
		},
	})
}
