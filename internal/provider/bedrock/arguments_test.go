package bedrock_test

import (
	"testing"

	pt "github.com/promptuary/promptuary/internal/provider/providertest"
)

func TestBedrock(t *testing.T) {
	t.Parallel()
	bedrock := func(c pt.Case) pt.Case {
		c.Provider = "amazon.bedrock"
		return c
	}
	pt.Run(t, []pt.Case{
		bedrock(pt.Case{
			Name: "messages and parameters", Model: "amazon.nova", Template: pt.Chat(pt.Say("system", pt.Text("Be")+","+pt.Text("kind")) + "," +
				pt.Say("user", pt.Text("hi")) + "," + pt.Say("assistant", pt.Text("hello")) + "," + pt.Say("user", "")),
			Parameters: `{"max_tokens":9,"temperature":0.50,"top_p":1,"stop":"x","top_k":3,"guardrailConfig":{"trace":"enabled"},"aws_region":"eu","n":null}`,
			Want: `{"modelId":"amazon.nova","messages":[{"role":"user","content":[{"text":"hi"}]},{"role":"assistant","content":[{"text":"hello"}]}],
				"system":[{"text":"Be"},{"text":"kind"}],"inferenceConfig":{"maxTokens":9,"temperature":0.50,"topP":1,"stopSequences":["x"]},
				"guardrailConfig":{"trace":"enabled"},"aws_region":"eu","additionalModelRequestFields":{"top_k":3}}`,
		}),
		bedrock(pt.Case{
			Name: "a completion", Model: "m", Template: pt.Hello,
			Want: `{"modelId":"m","messages":[{"role":"user","content":[{"text":"Hello, "},{"text":"you"}]}]}`,
		}),
		bedrock(pt.Case{
			Name: "parameters in their own objects", Model: "m", Template: pt.Chat(""),
			Parameters: `{"inferenceConfig":{"maxTokens":1,"stopSequences":["a"],"topP":null},"additionalModelRequestFields":{"top_k":1,"x":2},"model":"n"}`,
			Overrides:  `{"max_completion_tokens":5,"top_k":7}`,
			Want: `{"messages":[],"inferenceConfig":{"maxTokens":5,"stopSequences":["a"]},"modelId":"n",
				"additionalModelRequestFields":{"top_k":7,"x":2}}`,
		}),
		bedrock(pt.Case{
			Name: "roles take turns", Template: pt.Chat(pt.Say("user", pt.Text("a")) + "," + pt.Say("user", pt.Text("b")) + "," + pt.WeatherCall + "," +
				pt.WeatherResult + `,{"role":"tool","tool_call_id":"x","is_error":true,"content":"bad"},` + pt.Say("user", pt.Text("so?"))),
			Want: `{"messages":[{"role":"user","content":[{"text":"a"},{"text":"b"}]},{"role":"assistant","content":[{"text":"Let me look."},
				{"toolUse":{"toolUseId":"call_1","name":"weather","input":{"city":"Oslo"}}}]},
				{"role":"user","content":[{"toolResult":{"toolUseId":"call_1","content":[{"text":"cold"}]}},
				{"toolResult":{"toolUseId":"x","content":[{"text":"bad"}],"status":"error"}},{"text":"so?"}]}]}`,
		}),
		bedrock(pt.Case{
			Name: "files and reasoning", Template: pt.Chat(pt.Say("user", `{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}},
				{"type":"image_url","image_url":{"url":"https://a.b/c"}},{"type":"image_url","image_url":{"url":"s3://b/c.png"}},
				{"type":"media","media":{"title":"my_doc.pdf","type":"application/pdf","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"text/plain","url":"AAAA","format":"base64"}},
				{"type":"media","media":{"type":"video/mp4","url":"s3://b/c"}},{"type":"media","media":{"type":"application/zip","url":"AAAA","format":"base64"}}`) +
				"," + pt.Say("assistant", `{"type":"thinking","thinking":"hm","signature":"s"},{"type":"thinking","thinking":"x"},{"type":"code","code":"1"}`)),
			Want: `{"messages":[{"role":"user","content":[{"image":{"format":"png","source":{"bytes":"AAAA"}}},
				{"image":{"format":"png","source":{"s3Location":{"uri":"s3://b/c.png"}}}},
				{"document":{"format":"pdf","name":"my-doc-pdf","source":{"bytes":"AAAA"}}},
				{"document":{"format":"txt","name":"media","source":{"bytes":"AAAA"}}},
				{"video":{"format":"mp4","source":{"s3Location":{"uri":"s3://b/c"}}}}]},
				{"role":"assistant","content":[{"reasoningContent":{"reasoningText":{"text":"hm","signature":"s"}}},
				{"reasoningContent":{"reasoningText":{"text":"x"}}}]}]}`,
		}),
		bedrock(pt.Case{
			Name: "the response format", Template: pt.Chat(""),
			Parameters: `{"response_format":{"type":"json_schema","json_schema":{"name":"n","schema":{"type": "object"}}}}`,
			Want:       `{"messages":[],"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"schema":"{\"type\":\"object\"}","name":"n"}}}}}`,
		}),
		bedrock(pt.Case{
			Name: "placeholders stay as they are", Keep: true, Template: pt.Chat(`{"role":"placeholder","name":"p"}`),
			Want: `{"messages":[{"role":"placeholder","name":"p"}]}`,
		}),
	})
}

func TestBedrockTools(t *testing.T) {
	t.Parallel()
	spec := `{"toolSpec":{"name":"weather","description":"Tells it","inputSchema":{"json":` + pt.WeatherSchema + `}}}`
	choice := func(written, want string) pt.Case {
		return pt.Case{
			Name: "choice " + written, Provider: "amazon.bedrock", Template: pt.Chat("", `,"tools":[`+pt.Weather+`],"tool_choice":`+written),
			Want: `{"messages":[]` + want + `}`,
		}
	}
	pt.Run(t, []pt.Case{
		choice(`null`, `,"toolConfig":{"tools":[`+spec+`]}`),
		choice(`"auto"`, `,"toolConfig":{"tools":[`+spec+`],"toolChoice":{"auto":{}}}`),
		choice(`"any"`, `,"toolConfig":{"tools":[`+spec+`],"toolChoice":{"any":{}}}`),
		choice(`{"type":"function","function":{"name":"weather"}}`, `,"toolConfig":{"tools":[`+spec+`],"toolChoice":{"tool":{"name":"weather"}}}`),
		choice(`"none"`, ``),
		{
			Name: "tools in use cannot be forbidden", Provider: "amazon.bedrock", Template: pt.Chat(pt.WeatherResult, `,"tools":[`+pt.Weather+`],"tool_choice":"none"`),
			Want: `{"messages":[{"role":"user","content":[{"toolResult":{"toolUseId":"call_1","content":[{"text":"cold"}]}}]}],
				"toolConfig":{"tools":[` + spec + `]}}`,
		},
		{
			Name: "all kinds of tools", Provider: "amazon.bedrock",
			Template: pt.Chat("", `,"tools":[{"type":"function","function":{"name":"f","description":""}},{"type":"cachePoint","cachePoint":{"type":"default"}},
				{"type":"web_search","config":{"systemTool":{"name":"nova_grounding"}}}]`),
			Want: `{"messages":[],"toolConfig":{"tools":[{"toolSpec":{"name":"f","inputSchema":{"json":{"type":"object","properties":{}}}}},
				{"cachePoint":{"type":"default"}},{"systemTool":{"name":"nova_grounding"}}]}}`,
		},
	})
}
