package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/promptuary/promptuary/internal/check"
)

// quoted returns attributes of a call of the model m.
func quoted(attributes string) string { return `{"gen_ai.request.model":"m",` + attributes + `}` }

// said returns the description of a log with these lines.
func said(lines ...string) string { return strings.Join(append([]string{"m  chat"}, lines...), "\n") }

func TestGenAIMessages(t *testing.T) {
	t.Parallel()
	checkLogs(t, map[string]string{
		quoted(`"gen_ai.system_instructions":"[{\"type\":\"text\",\"content\":\"Be brief.\"}]","gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Hi\"},{\"type\":\"uri\",\"modality\":\"image\",\"uri\":\"https://i\"}]}]","gen_ai.output.messages":"[{\"role\":\"assistant\",\"parts\":[{\"type\":\"reasoning\",\"content\":\"Hm\"},{\"type\":\"text\",\"content\":\"Hello\"}],\"finish_reason\":\"stop\"}]"`): said(
			"in: system | text Be brief.", `in: user | text Hi | image_url {"url":"https://i"}`, "out: assistant | thinking Hm | text Hello"),
		// Structured values need no parsing.
		quoted(`"gen_ai.system_instructions":"Be brief.","gen_ai.input.messages":[{"role":"user","parts":[{"type":"text","content":"Hi"}]}],"gen_ai.output.messages":[{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"f","arguments":{"a":1}}]}]`): said(
			"in: system | text Be brief.", "in: user | text Hi", `out: assistant | call c1 f({"a":1})`),
		// Calls and their results.
		quoted(`"gen_ai.input.messages":[{"role":"assistant","parts":[{"type":"text","content":"Wait"},{"type":"tool_call","id":"c1","name":"f","arguments":"{}"}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":{"b":2}},{"type":"tool_call_response","id":"c2","result":"ok"}]}]`): said(
			"in: assistant | text Wait | call c1 f({})", `in: tool(c1) | text {"b":2}`, "in: tool(c2) | text ok"),
		// The messages of providers.
		quoted(`"gen_ai.input.messages":[{"role":"developer","content":"Be brief."},{"role":"user","content":[{"type":"text","text":"Hi"},{"type":"image_url","image_url":{"url":"https://i"}},{"type":"input_audio","x":1}]},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"5"}]`): said(
			"in: developer | text Be brief.", `in: user | text Hi | image_url {"url":"https://i"} | text {"type":"input_audio","x":1}`, "in: assistant | call c1 f({})", "in: tool(c1) | text 5"),
		quoted(`"gen_ai.input.messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"5"}]},{"type":"text","text":"And?"}]}],"gen_ai.output.messages":[{"role":"model","content":[{"type":"thinking","thinking":"Hm","signature":"sig"},{"type":"tool_use","id":"c2","name":"f","input":{}}]}]`): said(
			"in: tool(c1) | text 5", "in: user | text And?", "out: assistant | thinking Hm signed sig | call c2 f({})"),
		quoted(`"gen_ai.input.messages":[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hi"}]},{"type":"function_call","call_id":"c1","id":"x","name":"f","arguments":"{}"},{"type":"function_call_output","call_id":"c1","output":"5"}]`): said(
			"in: user | text Hi", "in: assistant | call c1 f({})", "in: tool(c1) | text 5"),
		quoted(`"gen_ai.input.messages":"just text","gen_ai.output.messages":["a","b"]`):                        said("in: user | text just text", "out: assistant | text a", "out: assistant | text b"),
		quoted(`"gen_ai.input.messages":"[{broken"`):                                                            said("in: user | text [{broken"),
		quoted(`"gen_ai.input.messages":[],"gen_ai.output.messages":[{"role":"assistant","parts":[]},null,{}]`): said("out: assistant | text {}"),
		quoted(`"gen_ai.input.messages":[{"role":"wizard","content":"x"}]`):                                     said("in: user | text x"),
		quoted(`"gen_ai.output.messages":[{"role":"assistant","function_call":{"name":"f","arguments":"{}"}}]`): said("out: assistant | call  f({})"),
		quoted(`"gen_ai.tool.definitions":"[{\"type\":\"function\",\"name\":\"f\",\"description\":\"d\",\"parameters\":{\"type\":\"object\"}},{\"type\":\"function\",\"function\":{\"name\":\"g\"}},{\"type\":\"web_search\"}]"`): said(
			`tools: [{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}},{"type":"function","function":{"name":"g"}}]`),
	})
}

func TestIndexedMessages(t *testing.T) {
	t.Parallel()
	checkLogs(t, map[string]string{
		quoted(`"gen_ai.prompt.10.role":"user","gen_ai.prompt.10.content":"last","gen_ai.prompt.0.role":"system","gen_ai.prompt.0.content":"first","gen_ai.prompt.2.content":"middle","gen_ai.prompt.x.content":"no","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.content":"Hello","gen_ai.completion.0.thinking":"Hm","gen_ai.completion.0.finish_reason":"stop"`): said(
			"in: system | text first", "in: user | text middle", "in: user | text last", "out: assistant | thinking Hm | text Hello"),
		quoted(`"gen_ai.prompt.0.role":"tool","gen_ai.prompt.0.tool_call_id":"c1","gen_ai.prompt.0.content":"5","gen_ai.completion.0.tool_calls":"[{\"id\":\"c2\",\"type\":\"tool_call\",\"name\":\"f\",\"arguments\":{\"a\":1}}]"`): said(
			"in: tool(c1) | text 5", `out: assistant | call c2 f({"a":1})`),
		quoted(`"gen_ai.completion.0.tool_calls.0.id":"c1","gen_ai.completion.0.tool_calls.0.name":"f","gen_ai.completion.0.tool_calls.0.arguments":"{}","gen_ai.completion.0.tool_calls.1.name":"g"`): said(
			"out: assistant | call c1 f({}) | call  g()"),
		quoted(`"gen_ai.prompt.0.content":"[{\"type\":\"text\",\"text\":\"Hi\"}]","gen_ai.prompt.1.content":"[1,2]"`): said("in: user | text Hi", "in: user | text [1,2]"),
		quoted(`"llm.prompts.0.role":"user","llm.prompts.0.content":"Hi","llm.completions.0.content":"Hello","llm.request.functions.0.name":"f","llm.request.functions.0.description":"d","llm.request.functions.0.parameters":"{\"type\":\"object\"}"`): said(
			`tools: [{"type":"function","function":{"name":"f","description":"d","parameters":{"type":"object"}}}]`, "in: user | text Hi", "out: assistant | text Hello"),
		quoted(`"gen_ai.prompt":"[{\"role\":\"user\",\"content\":\"Hi\"}]","gen_ai.completion":"Hello"`): said("in: user | text Hi", "out: assistant | text Hello"),
		// Attributes with all messages win.
		quoted(`"gen_ai.prompt.0.content":"no","gen_ai.input.messages":"yes"`): said("in: user | text yes"),
	})
}

// TestPromptLayerIntegrations reads what the integrations of the official client
// send: the plugin for Claude and the processor for OpenAI's agents.
func TestPromptLayerIntegrations(t *testing.T) {
	t.Parallel()
	checkLogs(t, map[string]string{
		`{"source":"claude-code","hook":"Stop","node_type":"PROMPT_TEMPLATE","gen_ai.operation.name":"chat","gen_ai.provider.name":"anthropic","gen_ai.request.model":"claude-sonnet-4-5","gen_ai.usage.input_tokens":7,"gen_ai.usage.output_tokens":3,"gen_ai.completion.0.finish_reason":"tool_use","gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"Hi","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.content":"","gen_ai.completion.0.thinking":"Hm","gen_ai.completion.0.tool_calls":"[{\"id\": \"c1\", \"type\": \"tool_call\", \"name\": \"Bash\", \"arguments\": {\"command\": \"ls\"}}]"}`: strings.Join([]string{
			"anthropic claude-sonnet-4-5  anthropic.messages.create", "usage: in 7, out 3", "in: user | text Hi",
			`out: assistant | thinking Hm | call c1 Bash({"command":"ls"})`}, "\n"),
		`{"node_type":"LLM_CALL","gen_ai.provider.name":"openai.responses","gen_ai.request.model":"gpt-4.1","gen_ai.usage.reasoning.output_tokens":2,"gen_ai.usage.output_tokens":9,"gen_ai.prompt.0.role":"user","gen_ai.prompt.0.content":"Hi","gen_ai.completion.0.role":"assistant","gen_ai.completion.0.content":"Hello","openai_agents.group_id":"g"}`: strings.Join([]string{
			"openai gpt-4.1 responses openai.responses.create", "usage: out 9, reasoning 2", "in: user | text Hi", "out: assistant | text Hello", `metadata: conversation_id="g"`}, "\n"),
		`{"node_type":"LLM_CALL","gen_ai.provider.name":"openai.responses","gen_ai.request.model":"gpt-4.1","gen_ai.usage.input_tokens":20,"gen_ai.usage.output_tokens":9,"openai_agents.response.raw_json":"{\"usage\":{\"input_tokens\":20,\"input_tokens_details\":{\"cached_tokens\":5}}}"}`:                                                   "openai gpt-4.1 responses openai.responses.create\nusage: in 20, out 9, read 5",
		`{"node_type":"LLM_CALL","gen_ai.provider.name":"openai.responses","gen_ai.request.model":"gpt-4.1","openai_agents.generation.raw_output_json":"[{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"}}],\"usage\":{\"prompt_tokens\":21,\"completion_tokens\":7,\"prompt_tokens_details\":{\"cached_tokens\":5}}}]"}`: "openai gpt-4.1 responses openai.responses.create\nusage: in 21, out 7, read 5\nout: assistant | text Hello",
		`{"gen_ai.request.model":"gpt-4.1","openai_agents.generation.raw_output_json":"[7,{\"choices\":7},{\"usage\":[]}]"}`: "openai gpt-4.1  openai.chat.completions.create",
		`{"node_type":"CODE_EXECUTION","tool_name":"Bash","function_input":"{}","function_output":"ok"}`:                     "no log",
		`{"node_type":"LLM_SESSION","promptlayer.telemetry.source":"openai-agents-js","openai_agents.group_id":"g"}`:         "no log",
	})
}

func TestEventMessages(t *testing.T) {
	t.Parallel()
	for events, want := range map[string]string{
		`[{"name":"gen_ai.system.message","attributes":{"content":"Be brief."}},{"name":"gen_ai.user.message","attributes":{"gen_ai.user.message.content":"Hi"}},
		 {"name":"gen_ai.assistant.message","attributes":{"tool_calls":"[{\"id\":\"c1\",\"type\":\"function\",\"function\":{\"name\":\"f\",\"arguments\":\"{}\"}}]"}},
		 {"name":"gen_ai.tool.message","attributes":{"id":"c1","content":"5"}},{"name":"other","attributes":{"content":"no"}},
		 {"name":"gen_ai.choice","attributes":{"index":0,"finish_reason":"stop","message":"{\"role\":\"assistant\",\"content\":\"Hello\"}"}}]`: said(
			"in: system | text Be brief.", "in: user | text Hi", "in: assistant | call c1 f({})", "in: tool(c1) | text 5", "out: assistant | text Hello"),
		`[{"name":"gen_ai.choice","attributes":{"gen_ai.choice.content":"Hello","gen_ai.choice.tool_calls":"[{\"id\":\"c\",\"name\":\"f\",\"arguments\":\"{}\"}]"}}]`: said("out: assistant | text Hello | call c f({})"),
		`[{"name":"gen_ai.choice","attributes":{"message":"Hello"}},{"name":"gen_ai.choice","attributes":{}}]`:                                                        said("out: assistant | text Hello"),
		`[{"name":"gen_ai.choice","attributes":{"message":{"content":[{"type":"text","text":"Hello"}]}}}]`:                                                            said("out: assistant | text Hello"),
		`[{"name":"gen_ai.content.prompt","attributes":{"gen_ai.prompt":"[{\"role\":\"user\",\"content\":\"Hi\"}]"}},{"name":"gen_ai.content.completion","attributes":{"gen_ai.completion":"[{\"role\":\"assistant\",\"content\":\"Hello\"}]"}}]`: said(
			"in: user | text Hi", "out: assistant | text Hello"),
		`[{"name":"gen_ai.client.inference.operation.details","attributes":{"gen_ai.input.messages":"[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Hi\"}]}]","gen_ai.system_instructions":"Be brief."}}]`: said(
			"in: system | text Be brief.", "in: user | text Hi"),
		`[{},{"name":7,"attributes":[]}]`: said(),
	} {
		span := spanOf(`{"gen_ai.request.model":"m"}`)
		span.Events = []byte(events)
		check.Equal(t, events, describe(t, span), want)
	}
	span := spanOf(quoted(`"gen_ai.input.messages":"attribute"`))
	span.Events = []byte(`[{"name":"gen_ai.user.message","attributes":{"content":"event"}},{"name":"gen_ai.choice","attributes":{"content":"Hello"}}]`)
	check.Equal(t, "attributes and events", describe(t, span), said("in: user | text attribute", "out: assistant | text Hello"))
}

func TestOpenInferenceMessages(t *testing.T) {
	t.Parallel()
	const call = `"openinference.span.kind":"LLM"`
	checkLogs(t, map[string]string{
		quoted(call + `,"llm.input_messages.0.message.role":"user","llm.input_messages.0.message.contents.0.message_content.type":"text","llm.input_messages.0.message.contents.0.message_content.text":"Hi","llm.input_messages.0.message.contents.1.message_content.image.image.url":"https://i","llm.input_messages.1.message.role":"assistant","llm.input_messages.1.message.tool_calls.0.tool_call.id":"c1","llm.input_messages.1.message.tool_calls.0.tool_call.function.name":"f","llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments":"{}","llm.input_messages.2.message.role":"tool","llm.input_messages.2.message.tool_call_id":"c1","llm.input_messages.2.message.content":"5","llm.output_messages.0.message.content":"Hello","llm.output_messages.0.message.contents.0.message_content.type":"reasoning","llm.output_messages.0.message.contents.0.message_content.text":"Hm","input.value":"no","output.value":"no"`): said(
			`in: user | text Hi | image_url {"url":"https://i"}`, "in: assistant | call c1 f({})", "in: tool(c1) | text 5", "out: assistant | text Hello | thinking Hm"),
		quoted(call + `,"input.value":"{\"messages\":[{\"role\":\"user\",\"content\":\"Hi\"}]}","output.value":"{\"choices\":[{\"message\":{\"role\":\"assistant\",\"content\":\"Hello\"}}]}"`): said(
			"in: user | text Hi", "out: assistant | text Hello"),
		quoted(call + `,"input.value":"{\"question\":\"Hi\"}","output.value":"Hello"`):                                                             said(`in: user | text {"question":"Hi"}`, "out: assistant | text Hello"),
		quoted(call + `,"llm.output_messages.0.message.function_call_name":"f","llm.output_messages.0.message.function_call_arguments_json":"{}"`): said("out: assistant | call  f({})"),
		quoted(call + `,"llm.invocation_parameters":"{\"model\":\"x\",\"tools\":[],\"temperature\":0.5,\"stop\":[\"a\"]}","llm.tools.0.tool.json_schema":"{\"name\":\"f\",\"input_schema\":{\"type\":\"object\"}}","tag.tags":["a","b","a"],"metadata":"{\"plan\":\"gold\",\"n\":{\"a\":1}}"`): said(
			`parameters: {"temperature":0.5,"stop":["a"]}`, `tools: [{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`,
			`metadata: plan="gold"`, `metadata: n={"a":1}`, "tags: a,b"),
		`{"openinference.span.kind":"EMBEDDING","embedding.model_name":"e","embedding.embeddings.0.embedding.text":"Hi","embedding.embeddings.0.embedding.vector":[0.1],"llm.system":"openai","output.value":"no"}`: "openai e embeddings openai.embeddings.create\nin: user | text Hi",
	})
}

func TestVercelMessages(t *testing.T) {
	t.Parallel()
	const call = `"ai.operationId":"ai.generateText.doGenerate"`
	checkLogs(t, map[string]string{
		quoted(call + `,"ai.prompt.messages":"[{\"role\":\"system\",\"content\":\"Be brief.\"},{\"role\":\"user\",\"content\":[{\"type\":\"text\",\"text\":\"Hi\"},{\"type\":\"image\",\"image\":\"https://i\"}]},{\"role\":\"assistant\",\"content\":[{\"type\":\"tool-call\",\"toolCallId\":\"c1\",\"toolName\":\"f\",\"input\":{\"a\":1}}]},{\"role\":\"tool\",\"content\":[{\"type\":\"tool-result\",\"toolCallId\":\"c1\",\"toolName\":\"f\",\"output\":{\"type\":\"json\",\"value\":{\"b\":2}}}]}]","ai.response.text":"Hello","ai.response.reasoning":"Hm","ai.response.toolCalls":"[{\"toolCallType\":\"function\",\"toolCallId\":\"c2\",\"toolName\":\"g\",\"args\":\"{}\"}]","ai.prompt.tools":["{\"type\":\"function\",\"name\":\"f\",\"inputSchema\":{\"type\":\"object\"}}"]`): said(
			`tools: [{"type":"function","function":{"name":"f","parameters":{"type":"object"}}}]`,
			"in: system | text Be brief.", `in: user | text Hi | image_url {"url":"https://i"}`, `in: assistant | call c1 f({"a":1})`, `in: tool(c1) | text {"b":2}`,
			"out: assistant | thinking Hm | text Hello | call c2 g({})"),
		quoted(call + `,"ai.prompt":"{\"system\":\"Be brief.\",\"prompt\":\"Hi\"}","ai.response.object":"{\"a\":1}"`):                   said("in: system | text Be brief.", "in: user | text Hi", `out: assistant | text {"a":1}`),
		quoted(call + `,"ai.settings.temperature":0.5,"gen_ai.request.temperature":0.25,"ai.settings.maxTokens":7`):                     said(`parameters: {"temperature":0.25,"max_tokens":7}`),
		`{"ai.operationId":"ai.embed.doEmbed","ai.model.id":"e","ai.model.provider":"openai.embedding","ai.values":["\"Hi\"","plain"]}`: "openai e embeddings openai.embeddings.create\nin: user | text Hi\nin: user | text plain",
	})
}

func TestMetadataAndPrompt(t *testing.T) {
	t.Parallel()
	checkLogs(t, map[string]string{
		quoted(`"promptlayer.metadata.b":1,"promptlayer.metadata.a":"x","user.id":"u","session.id":"s"`):                                                                 said("metadata: b=1", `metadata: a="x"`, `metadata: user_id="u"`, `metadata: conversation_id="s"`),
		quoted(`"promptlayer.metadata.user_id":"own","user.id":"u","gen_ai.conversation.id":"c","session.id":"s"`):                                                       said(`metadata: user_id="own"`, `metadata: conversation_id="c"`),
		quoted(`"enduser.id":"e","promptlayer.metadata.":"no"`):                                                                                                          said(`metadata: user_id="e"`),
		quoted(`"traceloop.association.properties.user_id":"u","traceloop.association.properties.plan":"gold"`):                                                          said(`metadata: user_id="u"`, `metadata: plan="gold"`),
		quoted(`"ai.telemetry.metadata.userId":"u","ai.telemetry.metadata.sessionId":"s"`):                                                                               said(`metadata: userId="u"`, `metadata: sessionId="s"`, `metadata: user_id="u"`, `metadata: conversation_id="s"`),
		quoted(`"promptlayer.metadata.` + strings.Repeat("k", 1025) + `":1`):                                                                                             said(),
		quoted(`"promptlayer.prompt.name":"p","promptlayer.prompt.version":"3","promptlayer.prompt.label":"l"`):                                                          said("prompt: {Name:p ID:0 Version:3 Label:}"),
		quoted(`"promptlayer.prompt.name":"p","promptlayer.prompt.id":7,"promptlayer.prompt.label":"prod"`):                                                              said("prompt: {Name:p ID:0 Version:0 Label:prod}"),
		quoted(`"promptlayer.prompt.id":"7","promptlayer.prompt.version":2`):                                                                                             said("prompt: {Name: ID:7 Version:2 Label:}"),
		quoted(`"promptlayer.prompt.version":2`):                                                                                                                         said(),
		quoted(`"promptlayer.prompt.name":"p","promptlayer.prompt.version":"latest"`):                                                                                    said("prompt: {Name:p ID:0 Version:0 Label:}"),
		quoted(`"gen_ai.request.top_p":1,"gen_ai.request.stop_sequences":["a"],"gen_ai.request.choice.count":2,"llm.top_k":5,"gen_ai.response.finish_reasons":["stop"]`): said(`parameters: {"top_p":1,"stop_sequences":["a"],"n":2,"top_k":5}`),
	})
	span := spanOf(quoted(`"user.id":"span","promptlayer.metadata.a":"span"`))
	span.Resource = []byte(`{"promptlayer.metadata.user_id":"resource","session.id":"s","promptlayer.metadata.a":"r","promptlayer.metadata.z":"r","promptlayer.prompt.name":"p","gen_ai.system":"no"}`)
	check.Equal(t, "resource", describe(t, span), said(`metadata: a="span"`, `metadata: user_id="resource"`, `metadata: z="r"`, `metadata: conversation_id="s"`, "prompt: {Name:p ID:0 Version:0 Label:}"))
}

func TestOutcome(t *testing.T) {
	t.Parallel()
	for i, c := range []struct{ attributes, events, message, want string }{
		{``, ``, "", "UNKNOWN_ERROR"},
		{``, ``, "boom", "UNKNOWN_ERROR boom"},
		{`,"error.type":"ServerError"`, ``, "boom", "PROVIDER_ERROR boom"},
		{`,"error.type":"429"`, ``, "", "PROVIDER_RATE_LIMIT"},
		{`,"http.response.status_code":429`, ``, "slow down", "PROVIDER_RATE_LIMIT slow down"},
		{``, `[{"name":"exception","attributes":{"exception.type":"openai.RateLimitError","exception.message":"slow"}}]`, "", "PROVIDER_RATE_LIMIT slow"},
		{``, ``, "You exceeded your current quota", "PROVIDER_QUOTA_LIMIT You exceeded your current quota"},
		{`,"error.type":"402"`, ``, "", "PROVIDER_QUOTA_LIMIT"},
		{`,"error.type":"ReadTimeout"`, ``, "", "PROVIDER_TIMEOUT"},
		{``, ``, "request timed out", "PROVIDER_TIMEOUT request timed out"},
		{`,"error.type":"AuthenticationError"`, ``, "", "PROVIDER_AUTH_ERROR"},
		{`,"http.response.status_code":403`, ``, "", "PROVIDER_AUTH_ERROR"},
		{`,"error.type":"ValueError"`, ``, "the author of 1429 books, 4031 pages", "PROVIDER_ERROR the author of 1429 books, 4031 pages"},
		{``, ``, "Incorrect API key provided", "PROVIDER_AUTH_ERROR Incorrect API key provided"},
		{`,"error.type":"x"`, ``, strings.Repeat("é", 2000), "PROVIDER_ERROR " + strings.Repeat("é", 1024)},
	} {
		span := spanOf(`{"gen_ai.request.model":"m"` + c.attributes + `}`)
		span.Status, span.StatusMessage, span.Events = "ERROR", c.message, []byte(c.events)
		check.Equal(t, fmt.Sprint(i), describe(t, span), said("error: "+c.want))
	}
	span := spanOf(quoted(`"error.type":"429"`))
	span.StatusMessage = "no error"
	check.Equal(t, "status", describe(t, span), said())
}
