package kwargs

import "testing"

func TestOpenAIChat(t *testing.T) {
	t.Parallel()
	image := `{"type":"image_url","image_url":{"url":"https://a.b/c.png","detail":"low"}}`
	runBuilds(t, []builds{
		{
			name: "roles", provider: "openai", model: "gpt-4o",
			template: chatOf(say("system", text("Be ")+","+text("kind.\\n\\u00e9")) + `,` + say("developer", text("d")) + `,` +
				say("user", text("hi")+","+image) + `,` + say("assistant", text("hello")) + `,` +
				`{"role":"user","name":"ann","content":[` + text("bye") + `]}`),
			want: `{"messages":[{"role":"system","content":"Be kind.\n\u00e9"},{"role":"developer","content":"d"},
				{"role":"user","content":[{"type":"text","text":"hi"},
				{"type":"image_url","image_url":{"url":"https://a.b/c.png","detail":"low"}}]},
				{"role":"assistant","content":"hello"},
				{"role":"user","content":[{"type":"text","text":"bye"}],"name":"ann"}],"model":"gpt-4o"}`,
		},
		{
			name: "a tool is called and answers", provider: "openai",
			template: chatOf(weatherCall+","+weatherResult, `,"tools":[`+weather+`],"tool_choice":"auto"`),
			want: `{"messages":[{"role":"assistant","content":"Let me look.","tool_calls":[{"id":"call_1","type":"function",
				"function":{"name":"weather","arguments":"{\"city\":\"Oslo\"}"}}]},
				{"role":"tool","content":"cold","tool_call_id":"call_1"}],
				"tools":[{"type":"function","function":{"name":"weather","description":"Tells it","parameters":` +
				weatherSchema + `,"strict":false}}],"tool_choice":"auto"}`,
		},
		{
			name: "a silent assistant and arguments that are no text", provider: "openai",
			template: chatOf(`{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x": 1}}},
				{"id":"b","function":{"name":"g"}},{"id":"c"}]},{"role":"assistant","content":[],"tool_calls":null}`),
			want: `{"messages":[{"role":"assistant","content":null,"tool_calls":[
				{"id":"a","type":"function","function":{"name":"f","arguments":"{\"x\":1}"}},
				{"id":"b","type":"function","function":{"name":"g","arguments":"{}"}}]},
				{"role":"assistant","content":null}]}`,
		},
		{
			name: "functions of the old kind", provider: "openai",
			template: chatOf(`{"role":"assistant","function_call":{"name":"f","arguments":"{}"}},
				{"role":"function","name":"f","content":[`+text("7")+`]}`,
				`,"functions":[{"name":"f","parameters":{"type":"object"}}],"function_call":{"name":"f"},"tools":[],"tool_choice":"auto"`),
			want: `{"messages":[{"role":"assistant","content":null,"function_call":{"name":"f","arguments":"{}"}},
				{"role":"function","content":"7","name":"f"}],
				"functions":[{"name":"f","parameters":{"type":"object"}}],"function_call":{"name":"f"}}`,
		},
		{
			name: "without tools there is nothing to choose", provider: "openai",
			template: chatOf("", `,"functions":[],"tools":null,"function_call":"none","tool_choice":"auto"`),
			want:     `{"messages":[]}`,
		},
		{
			name: "stored tools replace the template's and its choice", provider: "openai",
			template:   chatOf("", `,"tools":[`+weather+`],"tool_choice":"auto"`),
			parameters: `{"tools":[]}`,
			want:       `{"messages":[],"tools":[]}`,
		},
		{
			name: "placeholders and references are dropped", provider: "openai",
			template: chatOf(`{"role":"placeholder","name":"history"}`, `,"tools":[{"type":"variable","name":"t"},
				{"type":"registry","tool_registry_id":3},{"type":"mcp","mcp_server_id":42}],"tool_choice":"auto"`),
			want: `{"messages":[]}`,
		},
		{
			name: "placeholders and references stay as they are", provider: "openai", keep: true,
			template: chatOf(`{"role":"placeholder","name":"history"}`, `,"tools":[{"type":"variable","name":"t"}]`),
			want:     `{"messages":[{"role":"placeholder","name":"history"}],"tools":[{"type":"variable","name":"t"}]}`,
		},
		{
			name: "injected messages with string contents", provider: "openai",
			template: chatOf(`{"role":"user","content":"a"},{"role":"system","content":"b"},{"role":"model","content":"c"},7,"x"`),
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a"}]},{"role":"system","content":"b"},
				{"role":"assistant","content":"c"}]}`,
		},
		{
			name: "the response format is the interface's own", provider: "openai", template: chatOf(""),
			parameters: `{"response_format":{"type":"json_object"}}`,
			want:       `{"messages":[],"response_format":{"type":"json_object"}}`,
		},
	})
}

func TestOpenAIParts(t *testing.T) {
	t.Parallel()
	media := func(mime, url, format string) string {
		return `{"type":"media","media":{"title":"doc.x","type":"` + mime + `","url":"` + url + `","format":"` + format + `"}}`
	}
	message := func(parts string) string { return `{"messages":[{"role":"user","content":[` + parts + `]}]}` }
	runBuilds(t, []builds{
		{
			name: "files", provider: "openai",
			template: chatOf(say("user", media("image/png", "AAAA", "base64")+","+media("audio/wav", "BBBB", "base64")+","+
				media("application/pdf", "CCCC", "base64")+","+media("application/pdf", "https://a.b/c", "url")+","+
				media("video/mp4", "DDDD", "base64")+","+media("audio/flac", "EEEE", "base64"))),
			want: message(`{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
				{"type":"input_audio","input_audio":{"data":"BBBB","format":"wav"}},
				{"type":"file","file":{"filename":"doc.x","file_data":"data:application/pdf;base64,CCCC"}}`),
		},
		{
			name: "images in every spelling", provider: "openai",
			template: chatOf(say("user", `{"type":"image_url","image_url":{"url":"data:image\/gif;base64,AA-_","detail":null}},
				{"type":"image_url","image_url":{"url":"`+smallImage+`"}},{"type":"image_url","image_url":"https://x.y/z"},
				{"type":"image_url","image_url":{"url":""},"image_variable":"pic"},{"type":"media_variable","name":"pics"},
				{"type":"output_media","url":"AAAAAAAAAAAAAAAA","mime_type":"image/webp"},
				{"type":"image_url","image_url":{"url":"data:image/svg+xml,%3Csvg/%3E"}},{"type":"image_url","image_url":{"url":"data:x"}}`)),
			want: message(`{"type":"image_url","image_url":{"url":"data:image/gif;base64,AA+/"}},
				{"type":"image_url","image_url":{"url":"data:image/png;base64,` + smallImage + `"}},
				{"type":"image_url","image_url":{"url":"https://x.y/z"}},
				{"type":"image_url","image_url":{"url":"data:image/webp;base64,AAAAAAAAAAAAAAAA"}},
				{"type":"image_url","image_url":{"url":"data:image/svg+xml;base64,PHN2Zy8+"}}`),
		},
		{
			name: "what the interface cannot take is left out", provider: "openai",
			template: chatOf(say("user", text("a")+`,{"type":"thinking","thinking":"hm"},{"type":"code","code":"1"},
				{"type":"mcp_call","name":"x"},{"type":"text"},{"type":"text","text":null},{"type":7},null,"b"`)),
			want: message(`{"type":"text","text":"a"}`),
		},
		{
			name: "marks for caching are not known", provider: "openai",
			template: chatOf(say("user", `{"type":"text","text":"a","cache_control":{"type":"ephemeral"},"id":null}`)),
			want:     message(`{"type":"text","text":"a"}`),
		},
	})
}

func TestOpenAIFollowers(t *testing.T) {
	t.Parallel()
	marked := `{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}`
	pdf := `{"type":"media","media":{"type":"application/pdf","url":"https://a.b/c.pdf","format":"url"}}`
	film := `{"type":"media","media":{"type":"video/mp4","url":"https://a.b/c.mp4"}}`
	runBuilds(t, []builds{
		{
			name: "mistral", provider: "mistral", model: "mistral-large",
			template: chatOf(say("developer", text("d")) + "," + say("user", marked+","+pdf+","+film)),
			want: `{"messages":[{"role":"system","content":"d"},{"role":"user","content":[{"type":"text","text":"a"},
				{"type":"document_url","document_url":"https://a.b/c.pdf"}]}],"model":"mistral-large"}`,
		},
		{
			name: "openrouter", provider: "openrouter", api: "chat",
			template: chatOf(say("user", marked+","+pdf+","+film)+`,`+
				say("assistant", `{"type":"thinking","thinking":"hm","signature":"s","id":null},`+text("ok")),
				`,"tools":[{"id":"x","type":"web_search","provider":"openrouter","config":{"engine":"exa","max_results":3}},
				{"id":"y","type":"file_search","config":{"id":"file-parser"}},{"type":"bash","config":{}}],"tool_choice":"auto"`),
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},
				{"type":"file","file":{"filename":"media","file_data":"https://a.b/c.pdf"}},
				{"type":"video_url","video_url":{"url":"https://a.b/c.mp4"}}]},
				{"role":"assistant","content":"ok","reasoning_details":[{"type":"reasoning.text","text":"hm","signature":"s"}]}],
				"plugins":[{"id":"web","engine":"exa","max_results":3},{"id":"file-parser"}]}`,
		},
		{
			name: "one that nobody knows", provider: "acme", model: "m",
			template: chatOf(say("user", marked), `,"tools":[`+weather+`,{"type":"acme_search","depth":2}],"tool_choice":{"type":"function","function":{"name":"weather"}}`),
			want: `{"messages":[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}}]}],
				"tools":[{"type":"function","function":{"name":"weather","description":"Tells it","parameters":` + weatherSchema + `,"strict":false}},
				{"type":"acme_search","depth":2}],"tool_choice":{"type":"function","function":{"name":"weather"}},"model":"m"}`,
		},
	})
}

func TestPrompts(t *testing.T) {
	t.Parallel()
	want := `{"prompt":"Hello, you","model":"m"}`
	chat := chatOf(say("system", text("Draw")) + "," + `{"role":"placeholder","name":"p"},` + say("user", text("a ")+","+text("cat")))
	runBuilds(t, []builds{
		{name: "openai", provider: "openai", model: "m", template: hello, want: want},
		{name: "azure", provider: "openai.azure", api: "chat-completions", model: "m", template: hello, want: want},
		{name: "mistral", provider: "mistral", model: "m", template: hello, want: want},
		{name: "anthropic", provider: "anthropic", model: "m", template: hello, want: want},
		{name: "unknown", provider: "acme", model: "m", template: hello, want: want},
		{name: "openai images", provider: "openai", api: "images", model: "m", template: hello, want: want},
		{name: "openrouter images", provider: "openrouter", api: "images", model: "m", template: hello, want: want},
		{name: "openrouter video", provider: "openrouter", api: "video", model: "m", template: hello, want: want},
		{name: "openrouter speech", provider: "openrouter", api: "speech", template: hello, want: `{"input":"Hello, you"}`},
		{name: "images of a chat", provider: "openai", api: "images", template: chat, keep: true, want: `{"prompt":"Draw\na cat"}`},
		{name: "a stored prompt", provider: "openai", template: hello, parameters: `{"prompt":"x"}`, want: `{"prompt":"x"}`},
		{
			name: "a limit of an interface without tokens", provider: "openai", api: "images", template: hello,
			overrides: `{"max_tokens":3}`, want: `{"prompt":"Hello, you","max_tokens":3}`,
		},
	})
}
