package google_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestGoogle(t *testing.T) {
	t.Parallel()
	conversation := pt.Chat(pt.Say("system", pt.Text("Be")+","+pt.Text("kind")) + "," + pt.Say("user", pt.Text("hi")) + "," + pt.Say("assistant", pt.Text("hello")))
	want := `{"history":[{"role":"user","parts":[{"text":"hi"}]},{"role":"model","parts":[{"text":"hello"}]}],
		"generation_config":{"system_instruction":{"parts":[{"text":"Be"},{"text":"kind"}]},"temperature":0.50,"topK":3},"model":"gemini-3"}`
	parameters := `{"temperature":0.50,"topK":3}`
	pt.Run(t, []pt.Case{
		{Name: "google", Provider: "google", Model: "gemini-3", Template: conversation, Parameters: parameters, Want: want},
		{Name: "on vertex", Provider: "vertexai", Model: "gemini-3", Template: conversation, Parameters: parameters, Want: want},
		{
			Name: "a completion", Provider: "google", Template: pt.Hello,
			Want: `{"contents":[{"role":"user","parts":[{"text":"Hello, "},{"text":"you"}]}],"generation_config":{}}`,
		},
		{
			Name: "settings in a config, in either spelling", Provider: "google", Model: "a", Template: pt.Chat(pt.Say("system", pt.Text("x"))),
			Parameters: `{"generation_config":{"topP":1,"maxOutputTokens":5},"systemInstruction":"y","model":"b","stream":false}`,
			Overrides:  `{"top_p":0.5,"generationConfig":{"max_tokens":6}}`,
			Want:       `{"history":[],"generation_config":{"top_p":0.5,"max_output_tokens":6,"systemInstruction":"y"},"model":"b","stream":false}`,
		},
		{
			Name: "a null config", Provider: "google", Template: pt.Chat(""), Parameters: `{"generation_config":null}`,
			Want: `{"history":[],"generation_config":{}}`,
		},
		{
			Name: "files and what else a part can be", Provider: "google",
			Template: pt.Chat(pt.Say("user", `{"type":"image_url","image_url":{"url":"data:image/png;base64,AA__"}},
				{"type":"image_url","image_url":{"url":"https://a.b/c.webp?x=1"}},{"type":"media","media":{"type":"audio/wav","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"application/pdf","url":"gs://b/o","format":"url"}}`) + "," +
				pt.Say("assistant", `{"type":"thinking","thinking":"hm","signature":"c2ln"},{"type":"text","text":"a","thought_signature":"c2ln"},
				{"type":"code","code":"1+1","language":"PYTHON"},{"type":"code_execution_result","output":"2"},
				{"type":"output_media","url":"AAAAAAAAAAAAAAAA","provider_metadata":{"thought_signature":"c2ln"},"mime_type":"image/png"},
				{"type":"output_media","url":"data:image/png;base64,AAAA","provider_metadata":{"thought_signature":"c2ln"}},{"type":"mcp_call"}`)),
			Want: `{"history":[{"role":"user","parts":[{"inline_data":{"data":"AA//","mime_type":"image/png"}},
				{"file_data":{"file_uri":"https://a.b/c.webp?x=1","mime_type":"image/webp"}},{"inline_data":{"data":"AAAA","mime_type":"audio/wav"}},
				{"file_data":{"file_uri":"gs://b/o","mime_type":"application/pdf"}}]},
				{"role":"model","parts":[{"text":"hm","thought":true,"thought_signature":"c2ln"},{"text":"a","thought_signature":"c2ln"},
				{"executable_code":{"code":"1+1","language":"PYTHON"}},{"code_execution_result":{"output":"2","outcome":"OUTCOME_OK"}},
				{"inline_data":{"data":"AAAAAAAAAAAAAAAA","mime_type":"image/png"},"thought_signature":"c2ln"},
				{"inline_data":{"data":"AAAA","mime_type":"image/png"},"thought_signature":"c2ln"}]}],"generation_config":{}}`,
		},
		{
			Name: "calls and results, which are objects and known by name", Provider: "google",
			Template: pt.Chat(pt.WeatherCall + `,{"role":"assistant","tool_calls":[{"id":"f","function":{"name":"f","arguments":"{}"},"provider_metadata":{"thought_signature":"c2ln"}}]},` +
				pt.WeatherResult + `,{"role":"tool","tool_call_id":"f","name":"f","content":[` + pt.Text(` {\"a\": 1}`) + `]},
				{"role":"tool","tool_call_id":"lost","content":[` + pt.Text(`{oops`) + `]}`),
			Want: `{"history":[{"role":"model","parts":[{"text":"Let me look."},{"function_call":{"id":"call_1","name":"weather","args":{"city":"Oslo"}}}]},
				{"role":"model","parts":[{"function_call":{"name":"f","args":{}},"thought_signature":"c2ln"}]},
				{"role":"user","parts":[{"function_response":{"id":"call_1","name":"weather","response":{"result":"cold"}}},
				{"function_response":{"name":"f","response":{"a": 1}}},{"function_response":{"name":"lost","response":{"result":"{oops"}}}]}],
				"generation_config":{}}`,
		},
		{
			Name: "vertex knows no ids", Provider: "vertexai", Model: "gemini-3", Template: pt.Chat(pt.WeatherCall + "," + pt.WeatherResult),
			Want: `{"history":[{"role":"model","parts":[{"text":"Let me look."},{"function_call":{"name":"weather","args":{"city":"Oslo"}}}]},
				{"role":"user","parts":[{"function_response":{"name":"weather","response":{"result":"cold"}}}]}],"generation_config":{},"model":"gemini-3"}`,
		},
		{
			Name: "placeholders stay as they are", Provider: "google", Keep: true,
			Template: pt.Chat(`{"role":"placeholder","name":"p"}`, `,"tools":[{"type":"variable","name":"t"}]`),
			Want:     `{"history":[{"role":"placeholder","name":"p"}],"generation_config":{"tools":[{"type":"variable","name":"t"}]}}`,
		},
		{
			Name: "the response format is two settings", Provider: "google", Template: pt.Chat(""),
			Parameters: `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"}}}}`,
			Want:       `{"history":[],"generation_config":{"response_mime_type":"application/json","response_schema":{"type":"object"}}}`,
		},
		{
			Name: "stored settings win over the response format", Provider: "google", Template: pt.Chat(""),
			Parameters: `{"responseMimeType":"text/x.enum","response_format":{"type":"json_object"}}`,
			Want:       `{"history":[],"generation_config":{"responseMimeType":"text/x.enum"}}`,
		},
	})
}

func TestGoogleTools(t *testing.T) {
	t.Parallel()
	declared := `{"function_declarations":[{"name":"weather","description":"Tells it","parameters":` + pt.WeatherSchema + `}]}`
	choice := func(written, want string) pt.Case {
		return pt.Case{
			Name: "choice " + written, Provider: "google", Template: pt.Chat("", `,"tools":[`+pt.Weather+`],"tool_choice":`+written),
			Want: `{"history":[],"generation_config":{"tools":[` + declared + `]` + want + `}}`,
		}
	}
	pt.Run(t, []pt.Case{
		choice(`"auto"`, `,"tool_config":{"function_calling_config":{"mode":"AUTO"}}`),
		choice(`"none"`, `,"tool_config":{"function_calling_config":{"mode":"NONE"}}`),
		choice(`"required"`, `,"tool_config":{"function_calling_config":{"mode":"ANY"}}`),
		choice(`{"type":"function","function":{"name":"weather"}}`,
			`,"tool_config":{"function_calling_config":{"mode":"ANY","allowed_function_names":["weather"]}}`),
		choice(`{"type":"allowed_tools"}`, ``),
		{
			Name: "a function without parameters", Provider: "google",
			Template: pt.Chat("", `,"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{}}}}]`),
			Want:     `{"history":[],"generation_config":{"tools":[{"function_declarations":[{"name":"f"}]}]}}`,
		},
		{
			Name: "all kinds of tools", Provider: "google",
			Template: pt.Chat("", `,"tools":[{"type":"web_search","config":{}},`+pt.Weather+`,{"type":"google_maps","config":{"enable_widget":true}},
				{"type":"url_context","config":{"url_context":{}}},{"type":"code_interpreter","config":{}},{"type":"bash","config":{"x":1}},
				{"type":"enterprise_web_search","enterprise_web_search":{}},{"type":"acme"}]`),
			Want: `{"history":[],"generation_config":{"tools":[` + declared + `,{"google_search":{}},{"google_maps":{"enable_widget":true}},
				{"url_context":{}},{"code_execution":{}},{"x":1},{"enterprise_web_search":{}},{"type":"acme"}]}}`,
		},
	})
}
