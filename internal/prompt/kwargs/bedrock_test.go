package kwargs

import "testing"

func TestBedrock(t *testing.T) {
	t.Parallel()
	bedrock := func(c builds) builds {
		c.provider = "amazon.bedrock"
		return c
	}
	runBuilds(t, []builds{
		bedrock(builds{
			name: "messages and parameters", model: "amazon.nova", template: chatOf(say("system", text("Be")+","+text("kind")) + "," +
				say("user", text("hi")) + "," + say("assistant", text("hello")) + "," + say("user", "")),
			parameters: `{"max_tokens":9,"temperature":0.50,"top_p":1,"stop":"x","top_k":3,"guardrailConfig":{"trace":"enabled"},"aws_region":"eu","n":null}`,
			want: `{"modelId":"amazon.nova","messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"text":"hello"}]}],
				"system":[{"text":"Be"},{"text":"kind"}],"inferenceConfig":{"maxTokens":9,"temperature":0.50,"topP":1,"stopSequences":["x"]},
				"guardrailConfig":{"trace":"enabled"},"aws_region":"eu","additionalModelRequestFields":{"top_k":3}}`,
		}),
		bedrock(builds{
			name: "a completion", model: "m", template: hello,
			want: `{"modelId":"m","messages":[{"role":"user","content":[{"text":"Hello, "},{"text":"you"}]}]}`,
		}),
		bedrock(builds{
			name: "parameters in objects of their own", model: "m", template: chatOf(""),
			parameters: `{"inferenceConfig":{"maxTokens":1,"stopSequences":["a"],"topP":null},"additionalModelRequestFields":{"top_k":1,"x":2},"model":"n"}`,
			overrides:  `{"max_completion_tokens":5,"top_k":7}`,
			want: `{"messages":[],"inferenceConfig":{"maxTokens":5,"stopSequences":["a"]},"modelId":"n",
				"additionalModelRequestFields":{"top_k":7,"x":2}}`,
		}),
		bedrock(builds{
			name: "roles take turns", template: chatOf(say("user", text("a")) + "," + say("user", text("b")) + "," + weatherCall + "," +
				weatherResult + `,{"role":"tool","tool_call_id":"x","is_error":true,"content":"bad"},` + say("user", text("so?"))),
			want: `{"messages":[{"role":"user","content":[{"text":"a"},{"text":"b"}]},{"role":"assistant","content":[{"text":"Let me look."},
				{"toolUse":{"toolUseId":"call_1","name":"weather","input":{"city":"Oslo"}}}]},
				{"role":"user","content":[{"toolResult":{"toolUseId":"call_1","content":[{"text":"cold"}]}},
				{"toolResult":{"toolUseId":"x","content":[{"text":"bad"}],"status":"error"}},{"text":"so?"}]}]}`,
		}),
		bedrock(builds{
			name: "files and reasoning", template: chatOf(say("user", `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
				{"type":"image_url","image_url":{"url":"https://a.b/c"}},{"type":"image_url","image_url":{"url":"s3://b/c.png"}},
				{"type":"media","media":{"title":"my_doc.pdf","type":"application/pdf","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"text/plain","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"video/mp4","url":"s3://b/c"}},{"type":"media","media":{"type":"application/zip","url":"AAAA","format":"base64"}}`) +
				"," + say("assistant", `{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking","thinking":"x"},{"type":"code","code":"1"}`)),
			want: `{"messages":[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"AAAA"}}},
				{"image":{"format":"png","source":{"s3Location":{"uri":"s3://b/c.png"}}}},
				{"document":{"format":"pdf","name":"my-doc-pdf","source":{"bytes":"AAAA"}}},
				{"document":{"format":"txt","name":"media","source":{"bytes":"AAAA"}}},
				{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/c"}}}}]},
				{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},
				{"reasoningContent":{"reasoningText":{"text":"x"}}}]}]}`,
		}),
		bedrock(builds{
			name: "the response format", template: chatOf(""),
			parameters: `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type": "object"}}}}`,
			want:       `{"messages":[],"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":"{\"type\":\"object\"}","name":"n"}}}}}`,
		}),
		bedrock(builds{
			name: "placeholders stay as they are", keep: true, template: chatOf(`{"role":"placeholder","name":"p"}`),
			want: `{"messages":[{"role":"placeholder","name":"p"}]}`,
		}),
	})
}

func TestBedrockTools(t *testing.T) {
	t.Parallel()
	spec := `{"toolSpec":{"name":"weather","description":"Tells it","inputSchema":{"json":` + weatherSchema + `}}}`
	choice := func(written, want string) builds {
		return builds{
			name: "choice " + written, provider: "amazon.bedrock", template: chatOf("", `,"tools":[`+weather+`],"tool_choice":`+written),
			want: `{"messages":[]` + want + `}`,
		}
	}
	runBuilds(t, []builds{
		choice(`null`, `,"toolConfig":{"tools":[`+spec+`]}`),
		choice(`"auto"`, `,"toolConfig":{"tools":[`+spec+`],"toolChoice":{"auto":{}}}`),
		choice(`"any"`, `,"toolConfig":{"tools":[`+spec+`],"toolChoice":{"any":{}}}`),
		choice(`{"type":"function","function":{"name":"weather"}}`, `,"toolConfig":{"tools":[`+spec+`],"toolChoice":{"tool":{"name":"weather"}}}`),
		choice(`"none"`, ``),
		{
			name: "tools in use cannot be forbidden", provider: "amazon.bedrock", template: chatOf(weatherResult, `,"tools":[`+weather+`],"tool_choice":"none"`),
			want: `{"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"call_1","content":[{"text":"cold"}]}}]}],
				"toolConfig":{"tools":[` + spec + `]}}`,
		},
		{
			name: "all kinds of tools", provider: "amazon.bedrock",
			template: chatOf("", `,"tools":[{"type":"function","function":{"name":"f","description":""}},{"type":"cachePoint","cachePoint":{"type":"default"}},
				{"type":"web_search","config":{"systemTool":{"name":"nova_grounding"}}}]`),
			want: `{"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object","properties":{}}}}},
				{"cachePoint":{"type":"default"}},{"systemTool":{"name":"nova_grounding"}}]}}`,
		},
	})
}
