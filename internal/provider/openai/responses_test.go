package openai_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestResponses(t *testing.T) {
	t.Parallel()
	responses := func(c pt.Case) pt.Case {
		c.Provider, c.API = "openai", "responses"
		return c
	}
	pt.Run(t, []pt.Case{
		responses(pt.Case{
			Name: "messages", Model: "gpt-5",
			Template: pt.Chat(pt.Say("system", pt.Text("Be")+","+pt.Text("kind")) + "," + pt.Say("user", pt.Text("hi")+
				`,{"type":"image_url","image_url":{"url":"https://a.b/c.png"}},{"type":"media","media":{"type":"application/pdf","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"application/pdf","url":"https://a.b/c","format":"url"}},{"type":"media","media":{"type":"audio/wav","url":"AAAA","format":"base64"}}`) +
				"," + pt.Say("assistant", pt.Text("hel")+","+pt.Text("lo")) + "," + pt.Say("user", "")),
			Want: `{"input":[{"role":"system","content":[{"type":"input_text","text":"Be"},{"type":"input_text","text":"kind"}]},
				{"role":"user","content":[{"type":"input_text","text":"hi"},
				{"type":"input_image","detail":"auto","image_url":"https://a.b/c.png"},
				{"type":"input_file","filename":"media","file_data":"data:application/pdf;base64,AAAA"},
				{"type":"input_file","file_url":"https://a.b/c"}]},{"role":"assistant","content":"hello"}],"model":"gpt-5"}`,
		}),
		responses(pt.Case{
			Name: "a completion", Template: pt.Hello,
			Want: `{"input":[{"role":"user","content":[{"type":"input_text","text":"Hello, "},{"type":"input_text","text":"you"}]}]}`,
		}),
		responses(pt.Case{
			Name: "calls, results and the choice of a function",
			Template: pt.Chat(pt.WeatherCall+","+pt.WeatherResult+`,{"role":"tool","tool_call_id":"call_2","content":[
				{"type":"image_url","image_url":{"url":"https://a.b/c.png"}},`+pt.Text("seen")+`]}`,
				`,"tools":[`+pt.Weather+`],"tool_choice":{"type":"function","function":{"name":"weather"}}`),
			Want: `{"input":[{"role":"assistant","content":"Let me look."},
				{"type":"function_call","call_id":"call_1","name":"weather","arguments":"{\"city\":\"Oslo\"}"},
				{"type":"function_call_output","call_id":"call_1","output":"cold"},
				{"type":"function_call_output","call_id":"call_2","output":[
				{"type":"input_image","detail":"auto","image_url":"https://a.b/c.png"},{"type":"input_text","text":"seen"}]}],
				"tools":[{"type":"function","name":"weather","description":"Tells it","parameters":` + pt.WeatherSchema + `,"strict":false}],
				"tool_choice":{"type":"function","name":"weather"}}`,
		}),
		responses(pt.Case{
			Name: "legacy functions",
			Template: pt.Chat(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},{"role":"function","name":"f","content":"7"}`,
				`,"functions":[{"name":"f"}],"function_call":"auto"`),
			Want: `{"input":[{"type":"function_call","call_id":"f","name":"f","arguments":"{}"},
				{"type":"function_call_output","call_id":"f","output":"7"}],
				"tools":[{"type":"function","name":"f","parameters":{"type":"object","properties":{}},"strict":false}],"tool_choice":"auto"}`,
		}),
		responses(pt.Case{
			Name: "what the model did on the way",
			Template: pt.Chat(`{"role":"assistant","content":[{"type":"thinking","thinking":"one","id":"rs_1","encrypted_content":"e"},
				{"type":"thinking","thinking":"two","id":"rs_1"},{"type":"thinking","thinking":"","id":"rs_2"},{"type":"thinking","thinking":"lost"},
				{"type":"server_tool_use","id":"ws_1","name":"web_search","input":{"type":"search","query":"q"}},
				{"type":"server_tool_use","id":"fs_1","name":"file_search","input":{"queries":["q"]}},
				{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{}},
				{"type":"code","code":"1","id":"ci_1","container_id":"c"},{"type":"code","code":"2"},
				{"type":"mcp_call","id":"mcp_1","name":"n","server_label":"s","arguments":"{}","output":"o","error":null},` + pt.Text("a") + `,
				{"type":"output_media","id":"ig_1","url":"data:image/png;base64,AAAA"},` + pt.Text("b") + `],
				"tool_calls":[{"id":"call_1","tool_id":"fc_1","function":{"name":"f","arguments":"{}"}}]},
				{"role":"tool","tool_call_id":"x","content":[{"type":"shell_call_output","call_id":"x","output":[]}]},
				{"role":"user","content":[` + pt.Text("yes") + `,{"type":"mcp_approval_response","approval_request_id":"r","approve":true}]}`),
			Want: `{"input":[{"type":"reasoning","id":"rs_1","encrypted_content":"e","summary":[{"type":"summary_text","text":"one"},
				{"type":"summary_text","text":"two"}]},{"type":"reasoning","id":"rs_2","summary":[]},
				{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}},
				{"type":"file_search_call","id":"fs_1","status":"completed","queries":["q"]},
				{"type":"code_interpreter_call","id":"ci_1","code":"1","container_id":"c","outputs":null,"status":"completed"},
				{"type":"mcp_call","id":"mcp_1","name":"n","server_label":"s","arguments":"{}","output":"o"},
				{"role":"assistant","content":"a"},{"type":"image_generation_call","id":"ig_1","status":"completed","result":"AAAA"},
				{"role":"assistant","content":"b"},{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}","id":"fc_1"},
				{"type":"shell_call_output","call_id":"x","output":[]},
				{"role":"user","content":[{"type":"input_text","text":"yes"}]},
				{"type":"mcp_approval_response","approval_request_id":"r","approve":true}]}`,
		}),
		responses(pt.Case{
			Name: "built-in tools",
			Template: pt.Chat("", `,"tools":[{"id":"1","type":"web_search","config":{"search_context_size":"low"}},{"type":"web_search"},
				{"type":"code_interpreter","config":{}},{"type":"openai_mcp","config":{"type":"mcp","server_label":"d","execution_mode":"provider"}},
				{"type":"google_maps","config":{"a":1}},{"type":"google_maps","config":{}}],"tool_choice":"required"`),
			Want: `{"input":[],"tools":[{"type":"web_search","search_context_size":"low"},{"type":"web_search"},
				{"type":"code_interpreter","container":{"type":"auto"}},{"type":"mcp","server_label":"d"},{"a":1}],"tool_choice":"required"}`,
		}),
		responses(pt.Case{
			Name: "the response format is a format of the text", Template: pt.Chat(""),
			Parameters: `{"text":{"verbosity":"low"},"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type":"object"},"strict":true}}}`,
			Want:       `{"input":[],"text":{"verbosity":"low","format":{"type":"json_schema","name":"n","schema":{"type":"object"},"strict":true}}}`,
		}),
		responses(pt.Case{
			Name: "a stored format of the text wins", Template: pt.Chat(""),
			Parameters: `{"text":{"format":{"type":"text"}},"response_format":{"type":"json_object"}}`,
			Want:       `{"input":[],"text":{"format":{"type":"text"}}}`,
		}),
		responses(pt.Case{
			Name: "placeholders stay as they are", Keep: true, Template: pt.Chat(`{"role":"placeholder","name":"p"}`),
			Want: `{"input":[{"role":"placeholder","name":"p"}]}`,
		}),
	})
}
