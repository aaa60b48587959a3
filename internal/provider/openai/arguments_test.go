package openai_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestOpenAIChat(t *testing.T) {
	t.Parallel()
	image := `{"type":"image_url","image_url":{"url":"https://a.b/c.png","detail":"low"}}`
	pt.Run(t, []pt.Case{
		{
			Name: "roles", Provider: "openai", Model: "gpt-4o",
			Template: pt.Chat(pt.Say("system", pt.Text("Be ")+","+pt.Text("kind.\\n\\u00e9")) + `,` + pt.Say("developer", pt.Text("d")) + `,` +
				pt.Say("user", pt.Text("hi")+","+image) + `,` + pt.Say("assistant", pt.Text("hello")) + `,` +
				`{"role":"user","name":"ann","content":[` + pt.Text("bye") + `]}`),
			Want: `{"messages":[{"role":"system","content":"Be kind.\n\u00e9"},{"role":"developer","content":"d"},
				{"role":"user","content":[{"type":"text","text":"hi"},
				{"type":"image_url","image_url":{"url":"https://a.b/c.png","detail":"low"}}]},
				{"role":"assistant","content":"hello"},
				{"role":"user","content":[{"type":"text","text":"bye"}],"name":"ann"}],"model":"gpt-4o"}`,
		},
		{
			Name: "a tool is called and answers", Provider: "openai",
			Template: pt.Chat(pt.WeatherCall+","+pt.WeatherResult, `,"tools":[`+pt.Weather+`],"tool_choice":"auto"`),
			Want: `{"messages":[{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"call_1","type":"function",
				"function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]},
				{"role":"tool","content":"cold","tool_call_id":"call_1"}],
				"tools":[{"type":"function","function":{"name":"weather","description":"Tells it","parameters":` +
				pt.WeatherSchema + `,"strict":false}}],"tool_choice":"auto"}`,
		},
		{
			Name: "a silent assistant and arguments that are not a text", Provider: "openai",
			Template: pt.Chat(`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x": 1}}},
				{"id":"b","function":{"name":"g"}},{"id":"c"}]},{"role":"assistant","content":[],"tool_calls":null}`),
			Want: `{"messages":[{"role":"assistant","content":null,"tool_calls":[
				{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
				{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},
				{"role":"assistant","content":null}]}`,
		},
		{
			Name: "legacy functions", Provider: "openai",
			Template: pt.Chat(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},
				{"role":"function","name":"f","content":[`+pt.Text("7")+`]}`,
				`,"functions":[{"name":"f","parameters":{"type":"object"}}],"function_call":{"name":"f"},"tools":[],"tool_choice":"auto"`),
			Want: `{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
				{"role":"function","content":"7","name":"f"}],
				"functions":[{"name":"f","parameters":{"type":"object"}}],"function_call":{"name":"f"}}`,
		},
		{
			Name: "without tools there is nothing to choose", Provider: "openai",
			Template: pt.Chat("", `,"functions":[],"tools":null,"function_call":"none","tool_choice":"auto"`),
			Want:     `{"messages":[]}`,
		},
		{
			Name: "stored tools replace the template's and its choice", Provider: "openai",
			Template:   pt.Chat("", `,"tools":[`+pt.Weather+`],"tool_choice":"auto"`),
			Parameters: `{"tools":[]}`,
			Want:       `{"messages":[],"tools":[]}`,
		},
		{
			Name: "placeholders and references are dropped", Provider: "openai",
			Template: pt.Chat(`{"role":"placeholder","name":"history"}`, `,"tools":[{"type":"variable","name":"t"},
				{"type":"registry","tool_registry_id":3},{"type":"mcp","mcp_server_id":42}],"tool_choice":"auto"`),
			Want: `{"messages":[]}`,
		},
		{
			Name: "placeholders and references stay as they are", Provider: "openai", Keep: true,
			Template: pt.Chat(`{"role":"placeholder","name":"history"}`, `,"tools":[{"type":"variable","name":"t"}]`),
			Want:     `{"messages":[{"role":"placeholder","name":"history"}],"tools":[{"type":"variable","name":"t"}]}`,
		},
		{
			Name: "injected messages with string contents", Provider: "openai",
			Template: pt.Chat(`{"role":"user","content":"a"},{"role":"system","content":"b"},{"role":"model","content":"c"},7,"x"`),
			Want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"system","content":"b"},
				{"role":"assistant","content":"c"}]}`,
		},
		{
			Name: "the response format of the API", Provider: "openai", Template: pt.Chat(""),
			Parameters: `{"response_format":{"type":"json_object"}}`,
			Want:       `{"messages":[],"response_format":{"type":"json_object"}}`,
		},
	})
}

func TestOpenAIParts(t *testing.T) {
	t.Parallel()
	media := func(mime, url, format string) string {
		return `{"type":"media","media":{"title":"doc.x","type":"` + mime + `","url":"` + url + `","format":"` + format + `"}}`
	}
	message := func(parts string) string { return `{"messages":[{"role":"user","content":[` + parts + `]}]}` }
	pt.Run(t, []pt.Case{
		{
			Name: "files", Provider: "openai",
			Template: pt.Chat(pt.Say("user", media("image/png", "AAAA", "base64")+","+media("audio/wav", "BBBB", "base64")+","+
				media("application/pdf", "CCCC", "base64")+","+media("application/pdf", "https://a.b/c", "url")+","+
				media("video/mp4", "DDDD", "base64")+","+media("audio/flac", "EEEE", "base64"))),
			Want: message(`{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
				{"type":"input_audio","input_audio":{"data":"BBBB","format":"wav"}},
				{"type":"file","file":{"filename":"doc.x","file_data":"data:application/pdf;base64,CCCC"}}`),
		},
		{
			Name: "images in every spelling", Provider: "openai",
			Template: pt.Chat(pt.Say("user", `{"type":"image_url","image_url":{"url":"data:image\/gif;base64,AA-_","detail":null}},
				{"type":"image_url","image_url":{"url":"`+pt.SmallImage+`"}},{"type":"image_url","image_url":"https://x.y/z"},
				{"type":"image_url","image_url":{"url":""},"image_variable":"pic"},{"type":"media_variable","name":"pics"},
				{"type":"output_media","url":"AAAAAAAAAAAAAAAA","mime_type":"image/webp"},
				{"type":"image_url","image_url":{"url":"data:image/svg+xml,%3Csvg/%3E"}},{"type":"image_url","image_url":{"url":"data:x"}}`)),
			Want: message(`{"type":"image_url","image_url":{"url":"data:image/gif;base64,AA+/"}},
				{"type":"image_url","image_url":{"url":"data:image/png;base64,` + pt.SmallImage + `"}},
				{"type":"image_url","image_url":{"url":"https://x.y/z"}},
				{"type":"image_url","image_url":{"url":"data:image/webp;base64,AAAAAAAAAAAAAAAA"}},
				{"type":"image_url","image_url":{"url":"data:image/svg+xml;base64,PHN2Zy8+"}}`),
		},
		{
			Name: "unsupported content is omitted", Provider: "openai",
			Template: pt.Chat(pt.Say("user", pt.Text("a")+`,{"type":"thinking","thinking":"hm"},{"type":"code","code":"1"},
				{"type":"mcp_call","name":"x"},{"type":"text"},{"type":"text","text":null},{"type":7},null,"b"`)),
			Want: message(`{"type":"text","text":"a"}`),
		},
		{
			Name: "marks for caching are not known", Provider: "openai",
			Template: pt.Chat(pt.Say("user", `{"type":"text","text":"a","cache_control":{"type":"ephemeral"},"id":null}`)),
			Want:     message(`{"type":"text","text":"a"}`),
		},
	})
}

func TestOpenAIFollowers(t *testing.T) {
	t.Parallel()
	marked := `{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`
	pdf := `{"type":"media","media":{"type":"application/pdf","url":"https://a.b/c.pdf","format":"url"}}`
	film := `{"type":"media","media":{"type":"video/mp4","url":"https://a.b/c.mp4"}}`
	pt.Run(t, []pt.Case{
		{
			Name: "mistral", Provider: "mistral", Model: "mistral-large",
			Template: pt.Chat(pt.Say("developer", pt.Text("d")) + "," + pt.Say("user", marked+","+pdf+","+film)),
			Want: `{"messages":[{"role":"system","content":"d"},{"role":"user","content":[{"type":"text","text":"a"},
				{"type":"document_url","document_url":"https://a.b/c.pdf"}]}],"model":"mistral-large"}`,
		},
		{
			Name: "openrouter", Provider: "openrouter", API: "chat",
			Template: pt.Chat(pt.Say("user", marked+","+pdf+","+film)+`,`+
				pt.Say("assistant", `{"type":"thinking","thinking":"hm","signature":"s","id":null},`+pt.Text("ok")),
				`,"tools":[{"id":"x","type":"web_search","provider":"openrouter","config":{"engine":"exa","max_results":3}},
				{"id":"y","type":"file_search","config":{"id":"file-parser"}},{"type":"bash","config":{}}],"tool_choice":"auto"`),
			Want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},
				{"type":"file","file":{"filename":"media","file_data":"https://a.b/c.pdf"}},
				{"type":"video_url","video_url":{"url":"https://a.b/c.mp4"}}]},
				{"role":"assistant","content":"ok","reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"s"}]}],
				"plugins":[{"id":"web","engine":"exa","max_results":3},{"id":"file-parser"}]}`,
		},
		{
			Name: "an unknown provider", Provider: "acme", Model: "m",
			Template: pt.Chat(pt.Say("user", marked), `,"tools":[`+pt.Weather+`,{"type":"acme_search","depth":2}],"tool_choice":{"type":"function","function":{"name":"weather"}}`),
			Want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}],
				"tools":[{"type":"function","function":{"name":"weather","description":"Tells it","parameters":` + pt.WeatherSchema + `,"strict":false}},
				{"type":"acme_search","depth":2}],"tool_choice":{"type":"function","function":{"name":"weather"}},"model":"m"}`,
		},
	})
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	want := `{"prompt":"Hello, you","model":"m"}`
	chat := pt.Chat(pt.Say("system", pt.Text("Draw")) + "," + `{"role":"placeholder","name":"p"},` + pt.Say("user", pt.Text("a ")+","+pt.Text("cat")))
	pt.Run(t, []pt.Case{
		{Name: "openai", Provider: "openai", Model: "m", Template: pt.Hello, Want: want},
		{Name: "azure", Provider: "openai.azure", API: "chat-completions", Model: "m", Template: pt.Hello, Want: want},
		{Name: "mistral", Provider: "mistral", Model: "m", Template: pt.Hello, Want: want},
		{Name: "anthropic", Provider: "anthropic", Model: "m", Template: pt.Hello, Want: `{"prompt":"Hello, you","model":"m","max_tokens_to_sample":4096}`},
		{Name: "unknown", Provider: "acme", Model: "m", Template: pt.Hello, Want: want},
		{Name: "openai images", Provider: "openai", API: "images", Model: "m", Template: pt.Hello, Want: want},
		{Name: "openrouter images", Provider: "openrouter", API: "images", Model: "m", Template: pt.Hello, Want: want},
		{Name: "openrouter video", Provider: "openrouter", API: "video", Model: "m", Template: pt.Hello, Want: want},
		{Name: "openrouter speech", Provider: "openrouter", API: "speech", Template: pt.Hello, Want: `{"input":"Hello, you"}`},
		{Name: "images of a chat", Provider: "openai", API: "images", Template: chat, Keep: true, Want: `{"prompt":"Draw\na cat"}`},
		{Name: "a stored prompt", Provider: "openai", Template: pt.Hello, Parameters: `{"prompt":"x"}`, Want: `{"prompt":"x"}`},
		{
			Name: "a limit for an API without tokens", Provider: "openai", API: "images", Template: pt.Hello,
			Overrides: `{"max_tokens":3}`, Want: `{"prompt":"Hello, you","max_tokens":3}`,
		},
	})
}
